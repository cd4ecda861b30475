import { expectAccessible } from './support/expect-accessible.ts'
import { heading } from './support/account-forms.ts'
import { dropDraft } from './support/saved-draft.ts'
import { readInConsole } from './support/marketplace-figures.ts'
import { control } from './support/sandbox-control.ts'
import { openAs } from './support/open-as.ts'
import { expect, test, patient } from './support/watched-test.ts'
import {
  addKeyword,
  chooseStrategy,
  chooseTemplate,
  fillDetails,
  continueTo,
  guideMe,
  openWizardAnew,
  selectFirstProduct,
  sheet,
  templates,
} from './support/wizard.ts'

test('a partly failed launch lists each rejected item, retries only those, and creates nothing twice', async ({
  page,
  world,
  seller,
}) => {
  const { product, sandbox } = world
  await openAs(page, world, seller)
  await expect(heading(page, 'Home')).toBeVisible()
  await openWizardAnew(page)
  await guideMe(page)
  await chooseTemplate(page, templates.keywords)
  await chooseStrategy(page, 'Balanced')
  await fillDetails(page, { name: 'Half made', budget: '20', acos: '30' })
  await page.getByRole('radio', { name: 'Manual', exact: true }).check()
  await page.getByRole('radio', { name: 'Exact', exact: true }).check()
  await continueTo(page, 'Targeting')
  await selectFirstProduct(page)
  await page.getByRole('button', { name: 'Configure keywords' }).click()
  await addKeyword(page, 'insulated water bottle', '1.25')
  await addKeyword(page, 'steel flask 1l', '0.8')
  await page.getByRole('button', { name: 'Done' }).click()
  await continueTo(page, 'Review')

  await control(sandbox, 'faults', {
    match: { vendor: 'ads', method: 'POST', path: '/sp/keywords' },
    kind: 'partial',
    items: [1],
    selector: 'otherError',
    reason: 'OTHER_ERROR',
    times: 1,
  })
  await page.getByRole('button', { name: /^Launch(?: campaign)?$/ }).click()
  const problems = page.getByRole('dialog', { name: 'Campaign partly created' })
  await expect(problems).toBeVisible(patient)
  await expect(problems).toContainText('1 item failed.')
  await expect(problems.getByRole('listitem').filter({ hasText: 'steel flask 1l' }).first()).toBeVisible()
  await expectAccessible(page)

  await problems.getByRole('button', { name: 'Retry failed items' }).click()
  await expect(page.getByText('Campaign created successfully!')).toBeVisible(patient)
  await expect(page).toHaveURL(/\/campaigns/)
  await page.goto(`${product.url}/create-campaign-logs`)
  await expect(page.getByText('Half made').first()).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Campaigns' }).first().click()
  // The log has a link with the same name.
  await expect(heading(page, 'Campaigns')).toBeVisible()
  // It has no spend yet, and is in sight all the same.
  const made = page.getByRole('region', { name: 'Just launched' }).getByRole('link', { name: /Half made/ })
  await expect(made).toHaveCount(1)
  const name = await made.innerText()
  const console = await page.context().newPage()
  const written = await readInConsole(console, sandbox, name)
  expect(written.bids.map(bid => bid.split(' → ').slice(1).join(' → ')).sort()).toEqual([
    'insulated water bottle → EXACT → 1.25',
    'steel flask 1l → EXACT → 0.80',
  ])
  await console.close()

  await test.step('the launch becomes a template, and a permanently rejected item is corrected and launched', async () => {
    await page.goto(`${product.url}/create-campaign-logs`)
    await page.getByRole('link', { name: 'Use as template “Half made”' }).click()
    await expect(sheet(page, 'Review')).toBeVisible()
    await expect(page.getByText('The new name is “Half made (2)”', { exact: false })).toBeVisible()
    await control(sandbox, 'faults', {
      match: { vendor: 'ads', method: 'POST', path: '/sp/keywords' },
      kind: 'partial',
      items: [1],
      selector: 'rangeError',
      reason: 'TOO_LOW',
      times: 1,
    })
    await page.getByRole('button', { name: /^Launch(?: campaign)?$/ }).click()
    await expect(problems).toBeVisible(patient)
    await problems.getByRole('button', { name: 'Change and relaunch' }).click()
    await expect(sheet(page, 'Targeting')).toBeVisible()
    const said = 'steel flask 1l (exact): The bid is below the marketplace’s minimum.'
    await expect(page.getByRole('alert').filter({ hasText: said })).toBeVisible()
    await expectAccessible(page)
    await continueTo(page, 'Review')
    await expect(page.getByText('Half made (3)', { exact: true }).first()).toBeVisible()
    // Later journeys start without it.
    await page.goto('about:blank')
    await dropDraft(seller)
  })
})
