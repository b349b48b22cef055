# -*- coding: latin-1 -*-
x = "é"
if x:
	y = 0777
