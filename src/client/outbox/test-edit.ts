import type { NewEdit } from './outbox.ts'

/** A campaign that was paused without network, for tests. */
export const testEdit = (more: Partial<NewEdit> = {}): NewEdit => ({
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
})
