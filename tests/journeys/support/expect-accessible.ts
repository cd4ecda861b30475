import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe finds on the page as it is, in words. */
const findings = async (page: Page, only?: string[]): Promise<string[]> => {
  // No frame of ours comes from elsewhere, so that the findings need no second page to be put together in.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await (only ? builder.withRules(only) : builder).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}

// Ionic scrolls its content inside a shadow root, which the document's own width does not tell of.
const widest = (): string[] => {
  const scrollers = [...document.querySelectorAll('ion-content')].map(
    content => content.shadowRoot?.querySelector('.inner-scroll') ?? content,
  )
  return [document.documentElement, ...scrollers, ...document.querySelectorAll('.sheet-scroll')]
    .filter(element => element.clientWidth > 0 && element.scrollWidth > element.clientWidth)
    .map(element => `${element.tagName}.${element.className}: ${element.scrollWidth} in ${element.clientWidth} px`)
}

const landmark = /^- '?((?:banner|main|navigation|complementary|contentinfo|search|region)(?: "[^"]*")?)/

/** The landmarks that a screen reader would list twice under the same name. */
const doubledLandmarks = async (page: Page): Promise<string[]> => {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n')
  const found = lines.flatMap(line => landmark.exec(line.trim())?.[1] ?? [])
  return found.filter((name, index) => found.indexOf(name) !== index)
}

/** Nothing to be found by axe, in light and dark, no landmark twice, and nothing that scrolls sideways. */
export const expectAccessible = async (page: Page): Promise<void> => {
  expect(await page.evaluate(widest), 'nothing scrolls sideways').toEqual([])
  expect(await doubledLandmarks(page), 'no landmark is there twice').toEqual([])
  expect(await findings(page), `axe in light at ${page.url()}`).toEqual([])
  // The two looks differ in colours alone.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html.dark')).toHaveCount(1)
  // Colours turn one after the other on a machine that is busy.
  await expect(async () =>
    expect(await findings(page, ['color-contrast']), `axe in dark at ${page.url()}`).toEqual([]),
  ).toPass({ timeout: 30_000 })
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html.dark')).toHaveCount(0)
}
