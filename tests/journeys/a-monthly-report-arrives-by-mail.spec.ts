import { crc32 } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readMail } from '../../src/main/demonstration/outside-world.ts'
import { newPerson } from './support/people.ts'
import { openAs } from './support/open-as.ts'
import { control } from './support/sandbox-control.ts'
import { connectAds, connectSeller, startTrial, verifiedPerson, waitForImport } from './support/seeded-person.ts'
import { expect, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ scenario: 'small', followsClock: true })
const pass = (advance: string) => control(world.now.sandbox, 'clock', { advance })

/** A small PNG whose head says 30,000 × 30,000 pixels. */
async function bomb(): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const large = Buffer.from(png)
  large.writeUInt32BE(30_000, 16)
  large.writeUInt32BE(30_000, 20)
  large.writeUInt32BE(crc32(large.subarray(12, 29)), 29)
  return large
}

test('a monthly report is scheduled with a logo, arrives by mail and opens; a logo bomb is rejected', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|status of 422/)
  const { product, sandbox } = world.now
  // Near the end of a month, so that the next one begins within the trial.
  const today = new Date((await fetch(`${product.url}/api/subscriptions/plans`)).headers.get('date') ?? '').getUTCDate()
  if (today < 20) await pass(`P${24 - today}D`)
  const person = await verifiedPerson(world.now, Object.assign(newPerson(), { accountType: 'AGENCY' }))
  await connectSeller(person)
  await startTrial(person)
  await connectAds(person)
  await waitForImport(person)

  await test.step('a profile gets a logo, and a bomb is rejected', async () => {
    await openAs(page, world.now, person, '/branding')
    await page.getByRole('button', { name: 'Add profile' }).first().click()
    await page.getByLabel('Name').fill('Harbor Agency')
    await page.getByLabel('Main color', { exact: true }).fill('#ffd54a')
    await expect(page.getByText(/^Too light for text on white paper/)).toBeVisible()
    await page.getByLabel('Main color', { exact: true }).fill('#123abc')
    await page.getByRole('button', { name: 'Add profile' }).last().click()
    await page.getByRole('button', { name: 'Change or add a logo' }).click()
    const logo = (buffer: Buffer) =>
      page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await logo(await bomb())
    await expect(page.getByRole('alert').getByText('The image is 30,000 × 30,000 pixels.')).toBeVisible()
    await logo(
      await sharp({ create: { width: 400, height: 160, channels: 3, background: '#123abc' } })
        .png()
        .toBuffer(),
    )
    await expect(page.getByRole('img', { name: 'Logo of Harbor Agency' })).toBeVisible()
  })

  await test.step('a monthly report is requested and made', async () => {
    await page.goto(`${product.url}/performance-reports`)
    await page.getByRole('button', { name: 'New report' }).first().click()
    await page.getByLabel('Repeat').selectOption('MONTHLY')
    await page.getByRole('button', { name: 'Request report' }).click()
    await expect(page.getByRole('button', { name: 'Open' })).toBeVisible({ timeout: 120_000 })
    await expect(page.getByRole('listitem', { name: /^Every month: Account performance/ })).toContainText('Next on')
  })

  await test.step('the next one arrives by mail and opens', async () => {
    await pass('P10D')
    const link = await readMail(sandbox, person.email, '/performance-reports?report=')
    await page.goto(link)
    const opened = page.getByRole('region', { name: 'The report that you opened' })
    await expect(opened.getByText(/By schedule/)).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      opened.getByRole('button', { name: 'Download' }).click(),
    ])
    expect((await readFile(await file.path())).toString('latin1', 0, 5)).toBe('%PDF-')
  })
})
