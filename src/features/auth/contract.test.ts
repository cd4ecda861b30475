import * as v from 'valibot'
import { expect, test } from 'vitest'
import { changePasswordBody, registerBody, resetPasswordBody } from './contract.ts'
import { userChanges } from './user-contract.ts'
import { networkOf } from '#shared/network-of.ts'
import { authoritiesOf } from './roles.ts'

const person = { email: 'a@b.test', password: 'Harbour=7tide', firstName: 'Mara', lastName: 'Lind' }
function messages(change: object) {
  const result = v.safeParse(registerBody, { ...person, ...change })
  return result.issues?.map(issue => issue.message) ?? []
}
const length = 'Password must be between 8 and 100 characters long'
const mixed =
  'Password must contain at least one digit, one lowercase letter, one uppercase letter, and one special character (!@#$%^&+=)'

test.each([
  ['Abcdef1=', undefined],
  ['Abcdef1*', mixed],
  ['abcdef1=', mixed],
  ['ABCDEF1=', mixed],
  ['Abcdefg=', mixed],
  ['Abc def1!é', undefined],
  ['Abcde1=', length],
  [`Aa1=${'x'.repeat(96)}`, undefined],
  [`Aa1=${'x'.repeat(97)}`, length],
  ['', length],
  [undefined, length],
])('the password %s is judged: %s', (password, message) => {
  expect(messages({ password })[0]).toBe(message)
})

test.each([
  'Password1!',
  'P@ssw0rd123!',
  'Welcome@2026',
  'Qwerty123!',
  '1qaz@WSX',
  'Trustno1!',
  'ADMINistrator!1',
  'Tideline!2026',
  'tideLINE2026!',
])('the password %s is among the first that are guessed', password => {
  const common = 'This password is too common. Please choose another one'
  expect(messages({ password })).toEqual([common])
  const entered = { newPassword: password, confirmPassword: password }
  const reset = v.safeParse(resetPasswordBody, { token: 'token', ...entered })
  expect(reset.issues?.map(issue => issue.message)).toEqual([common])
  const change = v.safeParse(changePasswordBody, { email: 'a@b.test', currentPassword: 'Harbour=7tide', ...entered })
  expect(change.issues?.map(issue => issue.message)).toEqual([common])
})
test('the demonstration’s account alone may have the password that is published with it', () => {
  expect(messages({ email: 'demo@tideline.test', password: 'Tideline!2026' })).toEqual([])
  expect(messages({ email: 'demo@tideline.example', password: 'Tideline!2026' })).toHaveLength(1)
})
test.each(['Str0ng!Pass', 'Harbour=7tide', 'password-Of-9-tides!', 'Harbour!2026'])(
  'the password %s is not',
  password => {
    expect(messages({ password })).toEqual([])
  },
)

test('a password is taken as it is, an address trimmed and in lower case', () => {
  const parsed = v.parse(registerBody, { ...person, email: ' A@B.Test ', password: ' Harbour=7tide ' })
  expect(parsed).toMatchObject({ email: 'a@b.test', password: ' Harbour=7tide ', accountType: 'SELLER' })
})

test.each([
  [{ email: 'nowhere' }, 'Email must be a valid email address'],
  [{ email: `${'a'.repeat(95)}@b.test` }, 'Email must be at most 100 characters long'],
  [{ firstName: 'R2D2' }, 'First name must contain only letters and spaces'],
  [{ lastName: 'O’Neil' }, 'Last name must contain only letters and spaces'],
  [{ lastName: '   ' }, 'Last name must be between 1 and 100 characters long'],
  [{ accountType: 'PIRATE' }, 'Choose an account type'],
])('%o is refused: %s', (change, message) => {
  expect(messages(change)).toEqual([message])
})

test.each(['José María', 'Łukasz', '美咲', 'van der Berg'])('%s is a name', firstName => {
  expect(messages({ firstName })).toEqual([])
})

test('the two new passwords are compared while others are still missing', () => {
  const result = v.safeParse(changePasswordBody, { newPassword: 'Harbour=7tide', confirmPassword: 'Harbour=8tide' })
  expect(result.issues?.map(issue => issue.message)).toContain("Passwords don't match")
})

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:bbbb:cccc:dddd:eeee', '2001:db8:0:1::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted under %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('roles add up to authorities, each once', () => {
  expect(authoritiesOf(['AGENCY', 'ADMIN']).toSorted()).toEqual([
    'ACCOUNT_MANAGER',
    'ADMIN',
    'AGENCY',
    'CAMPAIGN_MANAGER',
  ])
  expect(authoritiesOf(['VIEWER'])).toEqual([])
})

test('time zones and languages are those that exist', () => {
  const isTaken = (change: object) => v.is(userChanges, change)
  expect([isTaken({ timezone: 'Europe/Berlin' }), isTaken({ timezone: 'Mars/Olympus' })]).toEqual([true, false])
  expect([isTaken({ locale: 'pt-BR' }), isTaken({ locale: 'not a tag' })]).toEqual([true, false])
})
