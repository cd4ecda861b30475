import { createContext, lazy, Suspense, use } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import type { HomeCards } from '#features/home/client/home-cards.tsx'
import * as markup from './markup.ts'

/** HTML as the browser has it, whatever the order of attributes. */
function inDocument(html: string): string {
  const box = document.createElement('div')
  box.innerHTML = html
  for (const element of box.querySelectorAll('*')) {
    const attributes = [...element.attributes].toSorted((a, b) => a.name.localeCompare(b.name))
    for (const { name } of attributes) element.removeAttribute(name)
    for (const { name, value } of attributes) element.setAttribute(name.toLowerCase(), value)
  }
  return box.innerHTML
}

afterEach(() => {
  vi.doUnmock('react')
  vi.doUnmock('react/jsx-runtime')
  vi.doUnmock('react/jsx-dev-runtime')
  vi.resetModules()
})

it('draws elements as React does', () => {
  const merchant = '<script>alert("x & y")</script>'
  const tree = (
    <main className="whole" data-open={false} data-build={true} aria-hidden aria-label={merchant} tabIndex={-1} hidden>
      {merchant}
      {0}
      {null}
      {false}
      {['a', <b key="b">b</b>]}
      <>
        <label htmlFor="days">Days</label>
        <select id="days" value="30" onChange={() => undefined}>
          <option value={7}>7</option>
          <option value={30}>30</option>
        </select>
        <input type="text" disabled={false} required />
      </>
      <svg viewBox="0 0 2 2" preserveAspectRatio="none">
        <polyline points="0,0 1,1" vectorEffect="non-scaling-stroke" />
      </svg>
      <i dangerouslySetInnerHTML={{ __html: '<u>inner</u>' }} />
    </main>
  )
  // React's own elements, of which only the types of fragments differ.
  const fragment = { ...tree, props: { ...tree.props, children: asStatic(tree.props.children) } }
  expect(inDocument(markup.toHtml(fragment))).toBe(inDocument(renderToStaticMarkup(tree)))
})

const realFragment = (<></>).type
const asStatic = (children: unknown): unknown =>
  Array.isArray(children)
    ? children.map(child =>
        child?.type === realFragment
          ? markup.jsx(markup.Fragment, (child as { props: Record<string, unknown> }).props)
          : child,
      )
    : children

it('draws what a lazy part shows meanwhile, and the value of the nearest provider', () => {
  const { jsx, createContext: context, useContext, Suspense: Waiting, lazy: later, toHtml } = markup
  const name = context('outside')
  const Name = () => useContext(name)
  const Later = later()
  const tree = [
    jsx(Waiting, { fallback: jsx('i', {}), children: jsx(Later, {}) }),
    jsx(name as Parameters<typeof jsx>[0], { value: 'inside', children: jsx(Name, {}) }),
    jsx(Name, {}),
  ]
  const RealName = createContext('outside')
  const RealNameText = () => use(RealName)
  const RealLater = lazy(() => new Promise<never>(() => undefined))
  const real = renderToStaticMarkup(
    <>
      <Suspense fallback={<i />}>
        <RealLater />
      </Suspense>
      <RealName value="inside">
        <RealNameText />
      </RealName>
      <RealNameText />
    </>,
  )
  expect(toHtml(tree)).toBe(real.replaceAll(/<!--.*?-->/g, ''))
  expect(() => toHtml(jsx(Later, {}))).toThrow('not drawn here')
})

const data: Parameters<typeof HomeCards>[0]['data'] = {
  currency: 'USD',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-04',
  comparedTo: '2026-03-03',
  previousFrom: '2026-02-26',
  previousTo: '2026-02-28',
  freshness: { asOf: '2026-03-04T10:00:00.000Z', movingFrom: '2026-03-02' },
  cards: [
    {
      metric: 'spend',
      unit: 'MONEY',
      value: 22_178.5,
      compared: 20_000,
      previous: 25_000,
      band: { low: 22_000, high: 24_000 },
      unknownBecause: null,
      note: null,
      sparkline: [20, null, 25, 90],
      terms: [],
    },
    {
      metric: 'profit',
      unit: 'MONEY',
      value: null,
      compared: null,
      previous: null,
      band: null,
      unknownBecause: 'Not known: COGS missing on 3 products.',
      note: 'COGS missing',
      sparkline: [],
      terms: [],
    },
  ],
}

it('draws the cards of Home as React does', async () => {
  const { HomeCards: Real } = await import('#features/home/client/home-cards.tsx')
  const real = renderToStaticMarkup(<Real data={data} today="2026-03-04" />)
  expect(real).toContain('$22.2K')
  vi.resetModules()
  vi.doMock('react', () => markup)
  vi.doMock('react/jsx-runtime', () => markup)
  vi.doMock('react/jsx-dev-runtime', () => markup)
  const { HomeCards: Static } = await import('#features/home/client/home-cards.tsx')
  const drawn = markup.toHtml(markup.jsx(Static as never, { data, today: '2026-03-04' }))
  expect(inDocument(drawn)).toBe(inDocument(real))
})
