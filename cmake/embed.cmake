# SPDX-License-Identifier: Apache-2.0
# Writes a C file that holds the bytes of another file:
#
#   cmake -DINPUT=file -DOUTPUT=file.c -DHEADER=declares/it.h -DNAME=symbol -P embed.cmake
#
# defines `const unsigned char NAME[]` and `const size_t NAME_length`, and with -DDIGEST=ON
# `const char NAME_sha256[]`, in hexadecimal.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" length)
math(EXPR length "${length} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
     "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {${bytes}};\n"
     "const size_t ${NAME}_length = ${length};\n")
if(DIGEST)
  file(SHA256 ${INPUT} digest)
  file(APPEND ${OUTPUT} "const char ${NAME}_sha256[] = \"${digest}\";\n")
endif()
