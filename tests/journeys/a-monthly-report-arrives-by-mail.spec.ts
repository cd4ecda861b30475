import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { readMail } from '../../src/main/demonstration/outside-world.ts'
import { expectAccessible } from './support/expect-accessible.ts'
import { newPerson } from './support/people.ts'
import { openAs } from './support/open-as.ts'
import { control } from './support/sandbox-control.ts'
import { connectAds, connectSeller, startTrial, verifiedPerson, waitForImport } from './support/seeded-person.ts'
import { expect, patient, test } from './support/watched-test.ts'
import { worldOfFile } from './support/world.ts'

const world = worldOfFile({ scenario: 'watched', followsClock: true })

/** Moves the emulator's clock to noon (UTC) of a day of the month that it shows, or of a later one, unless that is over. */
async function moveTo(day: number, monthsOn = 0): Promise<void> {
  const { now } = (await (await world.now.sandbox.control('GET', 'clock')).json()) as { now: string }
  const at = new Date(now)
  const to = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsOn, day, 12))
  if (to > at) await control(world.now.sandbox, 'clock', { now: to.toISOString() })
}

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#123abc' } })
    .png()
    .toBuffer()

/** A small PNG whose head says 30,000 × 30,000 pixels. */
async function bomb(): Promise<Buffer> {
  const png = await picture(8, 8)
  png.writeUInt32BE(30_000, 16)
  png.writeUInt32BE(30_000, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

test('a monthly report is scheduled with a logo, arrives by mail and opens; a logo bomb is rejected', async ({
  page,
  faults,
}) => {
  // A moved clock ends the page's event stream.
  faults.allow(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/)
  const { product, sandbox } = world.now
  // The next month begins within the trial.
  await moveTo(24)
  const person = await verifiedPerson(world.now, Object.assign(newPerson(), { accountType: 'AGENCY' }))
  await connectSeller(person)
  await startTrial(person)
  await connectAds(person)
  await waitForImport(person)

  await test.step('a profile gets a logo, and a bomb is rejected', async () => {
    await openAs(page, world.now, person, '/branding')
    await page.getByRole('button', { name: 'Add profile' }).first().click()
    const color = page.getByLabel('Main color', { exact: true })
    await page.getByLabel('Name', { exact: true }).fill('Harbor Agency')
    await color.fill('#ffd54a')
    await expect(page.getByText(/Too light for text on white paper/)).toBeVisible()
    await color.fill('#123abc')
    await page.getByRole('button', { name: 'Add profile' }).last().click()
    await page.getByRole('button', { name: 'Change or add a logo' }).click()
    const upload = (buffer: Buffer) =>
      page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await upload(await bomb())
    await expect(page.getByRole('alert').filter({ hasText: 'The image is 30,000 × 30,000 pixels.' })).toBeVisible()
    await upload(await picture(400, 160))
    await expect(page.getByRole('img', { name: 'Logo of Harbor Agency' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a monthly report is requested and made', async () => {
    await page.goto(`${product.url}/performance-reports`)
    await page.getByRole('button', { name: 'New report' }).first().click()
    await page.getByLabel('Repeat').selectOption('MONTHLY')
    await page.getByLabel('Branding').selectOption({ label: 'Harbor Agency' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Request report' }).click()
    await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeVisible(patient)
    await expect(page.getByRole('listitem', { name: /^Every month: Account performance/ })).toContainText('Next on')
  })

  await test.step('the next one arrives by mail and opens', async () => {
    // By the third the report is made even if the last day's figures are late.
    await moveTo(3, 1)
    let link = ''
    await expect(async () => {
      link = await readMail(sandbox, person.email, '/performance-reports?report=')
    }).toPass(patient)
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
