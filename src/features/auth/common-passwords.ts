// Leaked passwords that satisfy the rules are a common word with a number and a sign. The list contains the product's name,
// because it is tried first, and the demonstration's password, which begins with it, is public.
const words = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd pass welcome welc0me qwerty qwertz qwert azerty admin
  @dmin adm1n administrator letmein login monkey dragon master football baseball basketball soccer hockey shadow sunshine
  princess superman batman iloveyou trustno1 starwars whatever charlie michael jordan jennifer jessica ashley daniel
  hunter summer winter spring autumn january february monday friday changeme change secret test tester testing guest user
  root temp temporary default company hello freedom flower chocolate cookie computer internet samsung google facebook
  amazon seller office qazwsx asdf asdfgh asdfghjkl zxcvbnm pokemon liverpool chelsea arsenal barcelona london america
  india killer pepper ginger thomas robert andrew matthew joshua george nicole hannah maggie buster tigger purple orange
  silver golden diamond mustang ferrari mercedes yankees cowboys ranger thunder matrix phoenix scooter tideline`.split(
    /\s+/,
  ),
)
const numbers = new Set(
  `0 1 2 3 5 7 8 9 01 007 10 11 12 13 21 22 23 69 77 88 99 100 101 111 112 121 123 222 234 321 333 420 456 555 666 777 786
  888 999 1111 1122 1212 1234 2000 4321 12345 54321 111111 121212 123123 123321 123456 654321 1234567 12345678 123456789
  1234567890`.split(/\s+/),
)
const signs = new Set('! !! !!! !@ !@# !@#$ @ @@ # $ % ^ & + ='.split(' '))
const keyboardPatterns = new Set(
  '1qaz@wsx 1qaz!qaz !qaz2wsx 1qazxsw@ zaq1@wsx zaq!2wsx 1q2w3e4r! 1q2w3e4r5t! q1w2e3r4! qwe123!@# abc123!@#'.split(
    ' ',
  ),
)
const isYear = (digits: string) => /^(19[5-9]|20[0-4])\d$/.test(digits)
const isNumber = (digits: string) => numbers.has(digits) || isYear(digits)

/** True for about 70,000 common passwords: a common word with a number and a sign, and keyboard patterns. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  if (keyboardPatterns.has(text)) return true
  const numberFirst = /^(.+?)(\d*)([^\p{L}\d]+)$/u.exec(text)
  const signFirst = /^(.+?)([^\p{L}\d]+)(\d+)$/u.exec(text)
  const [word = '', number = '', sign = ''] = numberFirst
    ? numberFirst.slice(1)
    : signFirst
      ? [signFirst[1], signFirst[3], signFirst[2]]
      : []
  if (!signs.has(sign)) return false
  return (words.has(word) && isNumber(number)) || (/\d/.test(word + number) && words.has(word + number))
}
