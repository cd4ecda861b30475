import type { Page } from '@playwright/test'
import { readMail } from '../../src/main/demonstration/outside-world.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { expectFieldMessage } from './support/expect-field-message.ts'
import { heading, logIn, register } from './support/account-forms.ts'
import { newPerson } from './support/people.ts'
import { verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

const length = 'Password must be between 8 and 100 characters long'
const mixture =
  'Password must contain at least one digit, one lowercase letter, one uppercase letter, and one special character (!@#$%^&+=)'
const weakPasswords: [password: string, message: string][] = [
  ['Ab1!', length],
  [`Ab1!${'x'.repeat(97)}`, length],
  ['abcdefg1!', mixture],
  ['ABCDEFG1!', mixture],
  ['Abcdefgh!', mixture],
  ['Abcdefg1*', mixture],
]
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const password = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test('registration shows a message at each invalid field and focuses the first', async ({ page, world }) => {
  await page.goto(`${world.product.url}/register`)
  const [firstName, lastName] = [page.getByLabel('First name'), page.getByLabel('Last name')]
  const [email, secret] = [page.getByLabel('Email'), password(page, 'Password')]
  await press(page, 'Create account')
  await expect(firstName).toBeFocused()
  await expectFieldMessage(email, 'Email must be a valid email address')
  await expectFieldMessage(secret, length)
  await expectAccessible(page)

  for (const [field, label] of [
    [firstName, 'First name'],
    [lastName, 'Last name'],
  ] as const) {
    await field.fill('Dana 2')
    await expectFieldMessage(field, `${label} must contain only letters and spaces`)
    await field.fill('é'.repeat(101))
    await expectFieldMessage(field, `${label} must be between 1 and 100 characters long`)
    await field.fill('María José')
    await expect(field).not.toHaveAttribute('aria-invalid')
  }
  await email.fill('dana@')
  await expectFieldMessage(email, 'Email must be a valid email address')
  await email.fill(`${'d'.repeat(60)}@${'example.'.repeat(5)}com`)
  await expectFieldMessage(email, 'Email must be at most 100 characters long')
  await email.fill('dana@example.com')
  for (const [value, message] of weakPasswords) {
    await secret.fill(value)
    await expectFieldMessage(secret, message)
  }
  await secret.fill('Password1!')
  await press(page, 'Create account')
  await expect(secret).toBeFocused()
  await expectFieldMessage(secret, 'This password is too common')
})

test('log-in reveals whether an address is registered only to someone who knows its password', async ({
  page,
  world,
}) => {
  const person = newPerson()
  await register(page, world, person)
  await page.goto(`${world.product.url}/login`)
  await press(page, 'Log in')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectFieldMessage(page.getByLabel('Email'), 'Please enter a valid email address')
  await expectFieldMessage(password(page, 'Password'), 'Password is required')

  const failure = page.getByRole('main').getByRole('alert')
  for (const who of [
    { email: 'nobody@example.com', password: person.password },
    { email: person.email, password: 'Not&This7' },
  ]) {
    await logIn(page, world, who)
    await expect(failure).toHaveText('Email or password is incorrect.')
  }
  await expectAccessible(page)
  await logIn(page, world, person)
  await expect(failure).toHaveText('Please verify your email address first. We have sent you an email with a link.')
  await press(page, 'Resend email')
  await expect(page.getByText('a new email is on its way')).toBeVisible()
})

test('a reset link sets a new password, once', async ({ page, world }) => {
  const person = await verifiedPerson(world)
  await page.goto(`${world.product.url}/forgot-password`)
  const email = page.getByLabel('Email')
  await email.fill('dana')
  await press(page, 'Send link')
  await expect(email).toBeFocused()
  await expectFieldMessage(email, 'Please enter a valid email address')
  await email.fill(`${'d'.repeat(60)}@${'example.'.repeat(5)}com`)
  await expectFieldMessage(email, 'Email must be at most 100 characters long')
  await email.fill(person.email)
  await press(page, 'Send link')
  await expect(heading(page, 'Check your inbox')).toBeVisible()
  await expectAccessible(page)

  const link = await readMail(world.sandbox, person.email, '/reset-password')
  await page.goto(link)
  await expect(page).toHaveURL(/\/reset-password$/)
  const [fresh, again] = [password(page, 'New password'), password(page, 'Confirm password')]
  await press(page, 'Change password')
  await expect(fresh).toBeFocused()
  await expectFieldMessage(again, 'Please confirm your password')
  for (const [value, message] of weakPasswords) {
    await fresh.fill(value)
    await expectFieldMessage(fresh, message)
  }
  await fresh.fill('Other&Wood8')
  await again.fill('Other&Wood9')
  await press(page, 'Change password')
  await expectFieldMessage(again, "Passwords don't match")
  await expectAccessible(page)
  await again.fill('Other&Wood8')
  await press(page, 'Change password')
  await expect(heading(page, 'Password changed')).toBeVisible()
  await expectAccessible(page)

  await page.goto(link)
  await fresh.fill('Third&Wood8')
  await again.fill('Third&Wood8')
  await press(page, 'Change password')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This link is no longer valid. Please request a new one.',
  )
  await page.goto(`${world.product.url}/reset-password`)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Reset token is required')
  await expect(page.getByRole('button', { name: 'Change password' })).toBeDisabled()

  await logIn(page, world, { email: person.email, password: 'Other&Wood8' })
  await expect(heading(page, 'Connections')).toBeVisible()
})

test('a broken, used or replaced verification link offers a new one', async ({ page, world }) => {
  const person = newPerson()
  await register(page, world, person)
  const first = await readMail(world.sandbox, person.email, '/verify-email')
  for (const address of [`${world.product.url}/verify-email`, `${first}x`]) {
    await page.goto(address)
    await expect(heading(page, 'Email address not verified')).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByLabel('Email').fill(person.email)
  await press(page, 'Send a new link')
  await expect(page.getByText('a new email is on its way')).toBeVisible()
  await expect(async () => {
    const second = await readMail(world.sandbox, person.email, '/verify-email')
    expect(second).not.toBe(first)
  }).toPass()
  await page.goto(first)
  await expect(page.getByText('This link is no longer valid. Please request a new one.')).toBeVisible()
  await page.goto(await readMail(world.sandbox, person.email, '/verify-email'))
  await expect(heading(page, 'Email address verified')).toBeVisible()
})

test('changing the password requires the current one', async ({ page, world }) => {
  const person = await verifiedPerson(world)
  await logIn(page, world, person)
  await expect(heading(page, 'Connections')).toBeVisible()
  await page.goto(`${world.product.url}/settings`)
  const current = password(page, 'Current password')
  const [fresh, again] = [password(page, 'New password'), password(page, 'Confirm password')]
  await press(page, 'Change password')
  await expect(current).toBeFocused()
  await expectFieldMessage(current, 'Current password is required')
  await expectFieldMessage(fresh, length)
  await expectFieldMessage(again, 'Please confirm your password')
  await expectAccessible(page)
  await current.fill('Not&This7')
  await fresh.fill('Other&Wood8')
  await again.fill('Other&Wood9')
  await press(page, 'Change password')
  await expectFieldMessage(again, "Passwords don't match")
  await again.fill('Other&Wood8')
  await press(page, 'Change password')
  await expectFieldMessage(current, 'Current password is incorrect')
  await expect(current).toBeFocused()
  await current.fill(person.password)
  await press(page, 'Change password')
  await expect(page.getByText('Other devices were logged out.')).toBeVisible()
})
