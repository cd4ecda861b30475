import { expect, type Page } from '@playwright/test'

// Words that say nothing of where a link leads, as search engines' audits list them.
const empty = new Set(
  'click here,click this,go,here,information,learn more,more,more info,more information,read more,see more,start,this'.split(
    ',',
  ),
)

interface LinkOnPage {
  name: string
  target: string
}

const linksOf = (page: Page): Promise<LinkOnPage[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
      .filter(link => link.checkVisibility({ visibilityProperty: true }))
      .map(link => ({
        name: (link.ariaLabel ?? link.innerText).replace(/\s+/g, ' ').trim().toLowerCase(),
        target: link.pathname + link.search,
      })),
  )

/** No two links with the same words lead to different places, and each says where it leads. Answers how many there are. */
export const expectDistinctLinks = async (page: Page): Promise<number> => {
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
