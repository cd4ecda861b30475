import { setSession } from '#client/api/session/session.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'

/** A campaign that was paused without network, for tests. */
export function testEdit(more: Partial<NewEdit> = {}): NewEdit {
  return {
    kind: 'campaign',
    row: 11,
    name: 'Tide mugs',
    words: 'Pause',
    version: 3,
    set: { state: 'PAUSED' },
    was: { state: 'ENABLED' },
    shop: '1/1',
    href: '/campaigns',
    ...more,
  }
}

/** Logs a user in on this device, with a token that lasts, for tests. */
export function signInAs(user: string): void {
  return setSession({
    accessToken: `head.${btoa(JSON.stringify({ exp: 4_000_000_000, sub: user }))}.signature`,
    refreshToken: 'r',
  })
}
