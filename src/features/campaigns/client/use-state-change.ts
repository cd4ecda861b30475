import { confirm } from '#client/ui/overlays/dialogs.ts'
import type { NewState } from '#features/structure/contract.ts'
import type { RowKind } from './edit/row-edit.ts'
import { useEdit } from './edit/use-edit.ts'

type Switchable = 'ENABLED' | 'PAUSED'

/** The state that a row would be switched to; null when it is neither running nor paused. */
export const otherState = (state: string): Switchable | null =>
  state === 'ENABLED' ? 'PAUSED' : state === 'PAUSED' ? 'ENABLED' : null

const nouns: Record<RowKind, string> = {
  campaign: 'Campaign',
  adGroup: 'Ad group',
  ad: 'Ad',
  keyword: 'Keyword',
  target: 'Target',
}
const done: Record<NewState, string> = { ENABLED: 'enabled', PAUSED: 'paused', ARCHIVED: 'archived' }

/** What archiving ends, beside the row itself. */
const ends: Partial<Record<RowKind, string>> = {
  campaign: 'Its ad groups, ads and keywords stop with it. ',
  adGroup: 'Its ads and keywords stop with it. ',
}

interface SwitchedRow {
  id: number
  name: string
  state: string
  version: number
  currency: string
  /** Where the row is found. */
  href: string
}

/** Pauses, enables or archives rows of a kind. The error policy reports a rejection. */
export const useStateChange = (kind: RowKind) => {
  const { make } = useEdit(kind)
  const change = async ({ id, name, version, currency, href, ...row }: SwitchedRow, state: NewState) => {
    const was = otherState(row.state)
    if (!was) return
    const before = { state: otherState(was) ?? was }
    // Which kind takes which state is the contract's; ads are never archived here.
    const edit = { kind, id, name, version, set: { state } as { state: Switchable }, was: before }
    await make({ edit, title: `${nouns[kind]} ${done[state]}`, currency, href }).catch(() => undefined)
  }
  return {
    /** To the other of running and paused, with ten seconds to take it back. */
    switchState: (row: SwitchedRow): void => {
      const next = otherState(row.state)
      if (next) void change(row, next)
    },
    /** For good, once the user said so. True when it was asked of the server. */
    archive: async (row: SwitchedRow): Promise<boolean> => {
      const sure = await confirm({
        title: `Archive “${row.name}”?`,
        message: `${ends[kind] ?? ''}The marketplace takes nothing back from its archive: this cannot be undone. To stop it for a while, pause it instead.`,
        confirmText: 'Archive for good',
        tone: 'danger',
      })
      if (sure) await change(row, 'ARCHIVED')
      return sure
    },
  }
}
