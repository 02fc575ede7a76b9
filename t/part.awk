# A part of a list, a line each: with -v part=2/8 the second, the tenth, …; with part= all.
BEGIN { n = split(part, of, "/") }
!n || NR % of[2] == of[1] % of[2]
