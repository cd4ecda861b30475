import { currencyDigits, fromMicros } from '#shared/money.ts'
import { escapeHtml } from '../core/html-page.ts'
import type { Figures } from './figures.ts'

const style = `
:root { color-scheme: light dark; font: 0.9375rem/1.45 system-ui, sans-serif }
body { margin: 0 auto; max-width: 72rem; padding: 1rem }
header { border-bottom: 1px solid GrayText; margin-bottom: 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin-top: 1.5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid GrayText; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
form { display: inline-flex; gap: 0.25rem; margin: 0 0.25rem 0.25rem 0; align-items: center }
input, button { font: inherit; min-height: 2.25rem } input[type=text] { width: 6rem }
nav a { margin-right: 0.75rem }
a { color: light-dark(#0000b8, #9fc3ff) }`

/** A page of the marketplace's console. `body` is trusted HTML. */
export const layout = (title: string, now: Date, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Marketplace console</title><style>${style}</style></head><body>
<header><nav aria-label="Console"><a href="/">All accounts</a><a href="/mail">Outbox</a></nav>
<p>The emulated marketplace's own books. It is <time data-testid="now" datetime="${now.toISOString()}">${now.toISOString().slice(0, 19).replace('T', ' ')} UTC</time> here.</p>
<form method="post" action="/console/clock"><input type="hidden" name="back" value="/"><span>Move the clock on by</span>
<button name="advance" value="PT1H">1 hour</button><button name="advance" value="P1D">1 day</button><button name="advance" value="P7D">7 days</button></form></header>
<main><h1>${escapeHtml(title)}</h1>
${body}</main></body></html>
`

/** An amount with its currency's digits, without a group separator, so that it can be compared. */
export const amount = (micros: number, currency: string): string =>
  `${fromMicros(micros).toFixed(currencyDigits(currency))} ${currency}`

/** A table whose cells are trusted HTML. */
export const table = (heads: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? '<p>None.</p>'
    : `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`

export const figureHeads = (days: number): string[] =>
  ['Impr.', 'Clicks', 'Spend', 'Orders', 'Sales'].map(name => `${name} ${days} d`)

export const figureCells = (figures: Figures | undefined, currency: string): string =>
  [
    figures?.impressions ?? 0,
    figures?.clicks ?? 0,
    amount(figures?.costMicros ?? 0, currency),
    figures?.orders ?? 0,
    amount(figures?.salesMicros ?? 0, currency),
  ]
    .map(value => `<td class="number">${value}</td>`)
    .join('')

export interface Action {
  entity: string
  id: string
  back: string
}

const hidden = ({ entity, id, back }: Action): string =>
  [
    ['entity', entity],
    ['id', id],
    ['back', back],
  ]
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value ?? '')}">`)
    .join('')

/** Buttons that pause, enable or archive; nothing for what is archived. */
export const stateForm = (action: Action, state: string): string => {
  if (state === 'ARCHIVED') return ''
  const turn = state === 'PAUSED' ? ['enable', 'Enable'] : ['pause', 'Pause']
  return `<form method="post" action="/console/change">${hidden(action)}<button name="action" value="${turn[0]}">${turn[1]}</button><button name="action" value="archive">Archive</button></form>`
}

/** A field that sets a bid or budget. */
export const amountForm = (action: Action, kind: 'bid' | 'budget', micros: number | null): string =>
  `<form method="post" action="/console/change">${hidden(action)}<input type="text" name="value" inputmode="decimal" aria-label="New ${kind} of ${escapeHtml(action.entity)} ${escapeHtml(action.id)}" value="${micros === null ? '' : fromMicros(micros)}"><button name="action" value="${kind}">Set ${kind}</button></form>`
