import { expect, type Page } from '@playwright/test'

// Link texts without a target, as listed by SEO audits.
const empty = new Set(
  'click here,click this,go,here,information,learn more,more,more info,more information,read more,see more,start,this'.split(
    ',',
  ),
)

interface LinkOnPage {
  name: string
  target: string
}

function linksOf(page: Page): Promise<LinkOnPage[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
      .filter(link => link.checkVisibility({ visibilityProperty: true }))
      .map(link => ({
        name: (link.ariaLabel ?? link.innerText).replace(/\s+/g, ' ').trim().toLowerCase(),
        target: link.pathname + link.search,
      })),
  )
}

/** Expects that links with equal names have equal targets and that no name is generic. Returns the number of links. */
export async function expectDistinctLinks(page: Page): Promise<number> {
  const links = await linksOf(page)
  const byName = Map.groupBy(links, ({ name }) => name)
  const ambiguous = [...byName].flatMap(([name, same]) => {
    const targets = [...new Set(same.map(({ target }) => target))]
    return targets.length > 1 ? [`“${name}”: ${targets.join(', ')}`] : []
  })
  expect(ambiguous, `links of the same words at ${page.url()}`).toEqual([])
  expect(
    links.filter(({ name }) => name === '' || empty.has(name)),
    `links that say nothing at ${page.url()}`,
  ).toEqual([])
  return links.length
}
