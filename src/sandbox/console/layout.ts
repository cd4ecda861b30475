import { currencyDigits, fromMicros } from '#shared/money.ts'
import { hiddenFields, type Html, type HtmlValue, html, trusted } from '../core/html.ts'
import type { World } from '../core/world.ts'
import type { Figures } from './figures.ts'
import { type Cell, cell } from './table.ts'

const style = trusted(`
:root { color-scheme: light dark; font: 0.9375rem/1.45 system-ui, sans-serif; --line: light-dark(#d5dae0, #3b424b); --quiet: light-dark(#55606c, #a4afbb); --card: light-dark(#f6f8fa, #1c2127); background: light-dark(#fff, #14181d); color: light-dark(#16202b, #e8edf2) }
body { margin: 0 auto; max-width: 80rem; padding: 1rem }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; padding-bottom: .5rem }
h1 { font-size: 1.4rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem }
p, dd { overflow-wrap: anywhere } .quiet { color: var(--quiet) }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .6rem; text-align: left; vertical-align: top; overflow-wrap: break-word }
.wide { overflow-x: auto } td:first-child, td.long { overflow-wrap: anywhere; min-width: 9rem }
.stack { display: grid; grid-template-columns: max-content 1fr; max-width: 34rem }
th { font-weight: 600; color: var(--quiet); font-size: .875rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
form { display: inline-flex; flex-wrap: wrap; gap: .35rem; margin: 0 .35rem .35rem 0; align-items: center }
input, button, select { font: inherit; color: inherit; min-height: 2.5rem; box-sizing: border-box; padding: 0 .7rem; border: 1px solid light-dark(#8b96a3, #66717d); border-radius: .5rem; background: light-dark(#fff, #20262d) }
button { cursor: pointer } button:hover { background: var(--card) } input[type=text] { width: 7rem } input.long { width: 14rem; max-width: 100% }
:focus-visible { outline: 3px solid light-dark(#1f5fd6, #8fb8ff); outline-offset: 2px }
nav a, .paging a { display: inline-block; padding: .5rem .9rem .5rem 0; min-height: 1.5rem } nav [aria-current] { font-weight: 700; text-decoration: none; color: inherit }
a { color: light-dark(#0b4fb3, #9fc3ff) } dt { color: var(--quiet) } dd { margin: 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem }
.skip { position: absolute; left: -99rem } .skip:focus { position: static }
@media (max-width: 48rem) {
 thead { position: absolute; left: -99rem }
 table, tbody, tr, td { display: block; width: auto }
 tr { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); padding: .5rem .75rem; margin-bottom: .75rem }
 td { display: grid; grid-template-columns: 7.5rem 1fr; gap: .5rem; border: 0; padding: .25rem 0; white-space: normal }
 td::before { content: attr(data-label); color: var(--quiet) } .number { text-align: left }
 td:first-child, td.long, td { overflow-wrap: anywhere; min-width: 0 } form > span, form > label { flex-basis: 100% }
 button { min-height: 2.75rem } input, select { min-height: 2.75rem; min-width: 0 }
}`)

const links = [
  ['/', 'Accounts'],
  ['/console/requests', 'Requests'],
  ['/console/faults', 'Faults'],
  ['/mail', 'Outbox'],
] as const

export function navigation(
  label: string,
  entries: readonly (readonly [address: string, name: string, isCurrent: boolean])[],
): Html {
  return html`<nav aria-label="${label}">${entries.map(
    ([address, name, isCurrent]) => html`<a href="${address}"${isCurrent && html` aria-current="page"`}>${name}</a>`,
  )}</nav>`
}

/** A page of the marketplace's console. Its forms return to `here`, its own address. */
export function layout(world: World, title: string, here: string, body: HtmlValue): Html {
  const now = world.clock.now().toISOString()
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Marketplace console</title><style>${style}</style></head><body>
<a class="skip" href="#content">To the content</a>
<header>${navigation(
    'Console',
    links.map(([path, name]) => [path, name, path === here]),
  )}
<p>The emulated marketplace's own store. It is <time data-testid="now" datetime="${now}">${now.slice(0, 19).replace('T', ' ')} UTC</time> here.</p>
<form method="post" action="/console/clock">${hiddenFields({ back: here })}<span>Move the clock on by</span>
<button name="advance" value="PT1H">1 hour</button><button name="advance" value="P1D">1 day</button><button name="advance" value="P7D">7 days</button></form></header>
<main id="content"><h1 dir="auto">${title}</h1>
${body}</main></body></html>
`
}

/** An amount with its currency's digits and no thousands separator, so that it can be compared. */
export function amount(micros: number, currency: string): string {
  return `${fromMicros(micros).toFixed(currencyDigits(currency))} ${currency}`
}

export const figureHeads = ['Impressions', 'Clicks', 'Spend', 'Orders', 'Sales'] as const

export function figureCells(figures: Figures | undefined, currency: string): Cell[] {
  return [
    figures?.impressions ?? 0,
    figures?.clicks ?? 0,
    amount(figures?.costMicros ?? 0, currency),
    figures?.orders ?? 0,
    amount(figures?.salesMicros ?? 0, currency),
  ].map(value => cell(value, { number: true }))
}

interface Target {
  entity: string
  id: string
  back: string
}

export const changeForm = (target: Target, content: HtmlValue, value: Record<string, string> = {}): Html =>
  html`<form method="post" action="/console/change">${hiddenFields({ ...target, ...value })}${content}</form>`

/** Buttons to pause, enable or archive; nothing for an archived entity. `name` distinguishes them for screen readers. */
export function stateForm(target: Target, state: string, name: string): HtmlValue {
  if (state === 'ARCHIVED') return null
  const button = (action: string, label: string): Html =>
    html`<button name="action" value="${action}" aria-label="${label} ${name}">${label}</button>`
  const toggle = state === 'PAUSED' ? button('enable', 'Enable') : button('pause', 'Pause')
  return changeForm(target, [toggle, button('archive', 'Archive')])
}

export function amountForm(target: Target, kind: 'bid' | 'budget', micros: number | null, name: string): Html {
  return changeForm(
    target,
    html`<input type="text" name="value" inputmode="decimal" aria-label="New ${kind} of ${name}" value="${micros === null ? '' : fromMicros(micros)}"><button name="action" value="${kind}">Set ${kind}</button>`,
  )
}
