import { fromMicros } from '#shared/money.ts'
import { escapeHtml } from '../core/html-page.ts'

export interface Action {
  entity: string
  id: string
  back: string
}

const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')

const changeForm = (action: Action, inner: string, more: Record<string, string> = {}): string =>
  `<form method="post" action="/console/change">${hidden({ ...action, ...more })}${inner}</form>`

/** Buttons that pause, enable or archive; nothing for what is archived. `name` tells them apart for who cannot see. */
export const stateForm = (action: Action, state: string, name: string): string => {
  if (state === 'ARCHIVED') return ''
  const [verb, word] = state === 'PAUSED' ? ['enable', 'Enable'] : ['pause', 'Pause']
  const button = (value: string, label: string): string =>
    `<button name="action" value="${value}" aria-label="${label} ${escapeHtml(name)}">${label}</button>`
  return changeForm(action, `${button(verb as string, word as string)}${button('archive', 'Archive')}`)
}

/** A field that sets a bid or budget. */
export const amountForm = (action: Action, kind: 'bid' | 'budget', micros: number | null, name: string): string =>
  changeForm(
    action,
    `<input type="text" name="value" inputmode="decimal" aria-label="New ${kind} of ${escapeHtml(name)}" value="${micros === null ? '' : fromMicros(micros)}"><button name="action" value="${kind}">Set ${kind}</button>`,
  )

/** A field that renames. */
export const nameForm = (action: Action, name: string): string =>
  changeForm(
    action,
    `<input class="long" type="text" name="value" dir="auto" aria-label="New name" value="${escapeHtml(name)}"><button name="action" value="rename">Rename</button>`,
  )

/** Takes a seller's account away from a person who signs in with this e-mail. */
export const inviteAwayForm = (email: string, sellerId: string, sellerName: string): string =>
  changeForm(
    { entity: 'login', id: email, back: '/' },
    `<button name="action" value="invite-away">Take ${escapeHtml(sellerName)} away</button>`,
    { value: sellerId },
  )

/** Ends every grant that a person gave. */
export const revokeForm = (email: string): string =>
  changeForm({ entity: 'login', id: email, back: '/' }, '<button name="action" value="revoke">Revoke grants</button>')
