import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The violations that axe finds on the page, as text. */
async function findings(page: Page, only?: string[]): Promise<string[]> {
  // There are no frames from other origins, so axe needs no second page to combine its results.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (only ? builder.withRules(only) : builder).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}

// Ionic scrolls inside a shadow root, which the width of the document does not show.
function widest(): string[] {
  const scrollers = [...document.querySelectorAll('ion-content')].map(
    content => content.shadowRoot?.querySelector('.inner-scroll') ?? content,
  )
  return [document.documentElement, ...scrollers, ...document.querySelectorAll('.sheet-scroll')]
    .filter(element => element.clientWidth > 0 && element.scrollWidth > element.clientWidth)
    .map(element => `${element.tagName}.${element.className}: ${element.scrollWidth} in ${element.clientWidth} px`)
}

const landmark = /^- '?((?:banner|main|navigation|complementary|contentinfo|search|region)(?: "[^"]*")?)/

/** Landmarks with the same role and name. */
async function doubledLandmarks(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n')
  const found = lines.flatMap(line => landmark.exec(line.trim())?.[1] ?? [])
  return found.filter((name, index) => found.indexOf(name) !== index)
}

/** Expects no axe violation in light and dark, no duplicate landmark and no horizontal scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await page.evaluate(widest), 'nothing scrolls sideways').toEqual([])
  expect(await doubledLandmarks(page), 'no landmark is there twice').toEqual([])
  // On a busy machine colors change one after another.
  const patient = { timeout: 30_000 }
  await expect(async () => expect(await findings(page), `axe in light at ${page.url()}`).toEqual([])).toPass(patient)
  // Light and dark differ only in colors.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(12, 20, 22)')
  await expect(async () =>
    expect(await findings(page, ['color-contrast']), `axe in dark at ${page.url()}`).toEqual([]),
  ).toPass(patient)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(247, 241, 229)')
}
