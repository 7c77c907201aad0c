# Codes.def as something that lupdate can read: it doesn't expand macros.
# cmake -D CODES=<Codes.def> -D OUTPUT=<file> -P message_sentences.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${CODES} text)
# CMake takes these for list syntax.
string(REPLACE ";" "@semicolon@" text "${text}")
string(REPLACE "[" "@open@" text "${text}")
string(REPLACE "]" "@close@" text "${text}")
string(REGEX MATCHALL "\nRM_CODE\\([A-Za-z0-9]+,[ \n]*(\"([^\"\\]|\\\\.)*\"[ \n]*)+\\)" rows "${text}")
set(code "#include <QtGlobal>\n\n// Made from Codes.def.\nextern const char* const ringmasterMessageSentences[];\nconst char* const ringmasterMessageSentences[] = {\n")
foreach(row IN LISTS rows)
    string(REGEX REPLACE "\nRM_CODE\\([A-Za-z0-9]+,[ \n]*(.*)\\)$" "\\1" sentence "${row}")
    string(APPEND code "    QT_TRANSLATE_NOOP(\"Messages\", ${sentence}),\n")
endforeach()
string(APPEND code "};\n")
string(REPLACE "@semicolon@" ";" code "${code}")
string(REPLACE "@open@" "[" code "${code}")
string(REPLACE "@close@" "]" code "${code}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${code}" @ONLY)
