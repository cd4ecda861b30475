import { fromMicros } from '#shared/money.ts'
import { type Html, type HtmlValue, hiddenFields, html } from '../core/html.ts'

export interface Target {
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
