import { heading, logIn } from './support/account-forms.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { control } from './support/sandbox-control.ts'
import { connectSeller, startTrial, verifiedPerson } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ followsClock: true })
test.beforeEach(({ viewport }) => test.skip((viewport?.width ?? 0) >= 768, 'the same at any size'))

const pass = (advance: string) => control(world.now.sandbox, 'clock', { advance })

test('a user erases the account, keeps it after all, and is erased seven days after asking again', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const person = await verifiedPerson(world.now)
  await connectSeller(person)
  await startTrial(person)
  await openAs(page, world.now, person, '/settings')
  const erase = page.getByRole('region', { name: 'Erase your account' })
  const ask = async (): Promise<void> => {
    await erase.getByRole('button', { name: 'Erase my account…' }).click()
    await erase.getByLabel('Your password', { exact: true }).fill(person.password)
    await erase.getByRole('button', { name: 'Erase my account', exact: true }).click()
    await page.getByRole('button', { name: 'Erase in seven days' }).click()
    await expect(erase.getByText(/Your account will be erased on/)).toBeVisible()
  }

  await test.step('a log-in while it waits offers to keep the account', async () => {
    await ask()
    await expectAccessible(page)
    await page.evaluate(() => localStorage.clear())
    await logIn(page, world.now, person)
    await expect(heading(page, 'Your account will be erased')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Keep my account' }).click()
    await expect(heading(page, 'Your account stays')).toBeVisible()
  })

  await test.step('what was kept is still there after seven days', async () => {
    await pass('P8D')
    await page.goto(`${world.now.product.url}/settings`)
    await expect(page.getByText(person.email)).toBeVisible()
  })

  await test.step('asked again, it is erased', async () => {
    await ask()
    await pass('P7DT1H')
    await expect(heading(page, 'Log in')).toBeVisible()
    await logIn(page, world.now, person)
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Email or password is incorrect.')
  })
})
