import { followMail, heading } from './support/account-forms.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { openAs } from './support/open-as.ts'
import { newPerson } from './support/people.ts'
import { sessionOf } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'

test('an agency invites a viewer, who registers by the mail, sees that client, and changes nothing @layout', async ({
  page,
  browser,
  world,
  seller,
  faults,
  viewport,
}) => {
  await world.changeRole('promote', seller.email, 'AGENCY')
  const [client] = await seller.call<{ name: string }[]>('GET', '/profile')
  const clientName = client?.name ?? ''
  const { amazonId, name } = (
    await seller.call<{ content: { amazonId: string; name: string }[] }>('GET', '/campaign/cm')
  ).content[0] ?? { amazonId: '', name: '' }
  await openAs(page, world, seller, '/home')

  // On a phone the clients are the first entry of More.
  if ((viewport?.width ?? 0) < 768) await page.getByRole('link', { name: 'More screens' }).click()
  await page.getByRole('link', { name: 'Clients' }).first().click()
  await expect(heading(page, 'Clients')).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('button', { name: new RegExp(`^${clientName}`) })
    .first()
    .click()
  await expect(heading(page, 'Home')).toBeVisible()

  const guest = newPerson()
  await page.goto(`${world.product.url}/team`)
  await page.getByRole('button', { name: 'Invite a viewer' }).click()
  const sheet = page.locator('.sheet-frame')
  await sheet.getByRole('button', { name: 'Send invitation' }).click()
  await expect(sheet.getByText('Please enter a valid email address')).toBeVisible()
  await sheet.getByLabel('Email').fill(guest.email)
  const choice = sheet.getByRole('checkbox', { name: clientName })
  if (await choice.isVisible()) await choice.check()
  await sheet.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('region', { name: 'Pending invitations' }).getByText(guest.email)).toBeVisible()
  await expect(sheet).toHaveCount(0)
  await expectAccessible(page)

  const context = await browser.newContext({ viewport: page.viewportSize() })
  await faults.watch(context)
  const visitor = await context.newPage()
  await followMail(visitor, world, guest.email, '/invitation')
  await expect(heading(visitor, 'Invitation')).toBeVisible()
  await expect(visitor.getByText(clientName)).toBeVisible()
  await expectAccessible(visitor)
  await visitor.getByLabel('First name').fill(guest.firstName)
  await visitor.getByLabel('Last name').fill(guest.lastName)
  await visitor.getByLabel('Password', { exact: true }).fill(guest.password)
  await visitor.getByRole('button', { name: 'Create account and accept' }).click()
  await expect(heading(visitor, 'Home')).toBeVisible()
  await expect(visitor.getByText('Ad spend').first()).toBeVisible()
  await expect(visitor.getByText(clientName).first()).toBeVisible()
  for (const hidden of ['Campaigns', 'New', 'Clients', 'Team'])
    await expect(visitor.getByRole('link', { name: hidden, exact: true })).toHaveCount(0)
  for (const path of ['/campaigns', '/team', '/clients', '/create-campaign']) {
    await visitor.goto(world.product.url + path)
    await expect(heading(visitor, 'Home'), path).toBeVisible()
  }
  const { accessToken } = await sessionOf(world, guest)
  const answer = await fetch(`${world.product.url}/api/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ entity: 'campaign', id: 1, version: 1, set: { state: 'PAUSED' } }]),
  })
  expect(answer.status, `${name} ${amazonId} stays as it is`).toBe(403)

  await page.getByRole('button', { name: new RegExp(`^Actions for .* at ${clientName}`) }).click()
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove access' }).click()
  await expect(page.getByText(/no longer has access/)).toBeVisible()
  await visitor.goto(`${world.product.url}/home`)
  await expect(heading(visitor, 'Connections')).toBeVisible()
  await context.close()
  await page.goto('about:blank')
  await world.changeRole('demote', seller.email, 'AGENCY')
})
