import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '#client/ui/shell/toast-store.ts'
import type { Campaign } from '../contract.ts'
import { changeCampaign, changeTarget } from './mutations.ts'

const undoMs = 10_000
type Switchable = 'ENABLED' | 'PAUSED'

/** The state that a row would be switched to; null when it is neither running nor paused. */
export const otherState = (state: string): Switchable | null =>
  state === 'ENABLED' ? 'PAUSED' : state === 'PAUSED' ? 'ENABLED' : null

const told = (what: string, state: Switchable, name: string, undo: () => void): void => {
  toast({
    title: `${what} ${state === 'PAUSED' ? 'paused' : 'enabled'}`,
    message: name,
    durationMs: undoMs,
    action: { label: 'Undo', onSelect: undo },
  })
}

type Named = Pick<Campaign, 'id' | 'name' | 'state' | 'version'>

/** Pauses or enables a campaign, with ten seconds to take it back. A refusal is told by the error policy. */
export const useCampaignSwitch = () => {
  const client = useQueryClient()
  const { mutate } = useMutation(changeCampaign(client))
  return (row: Named): void => {
    const state = otherState(row.state)
    const back = state && otherState(state)
    if (!state || !back) return
    mutate(
      { campaignId: row.id, version: row.version, state },
      {
        onSuccess: ({ version }) =>
          told('Campaign', state, row.name, () => mutate({ campaignId: row.id, version, state: back })),
      },
    )
  }
}

/** Pauses or enables a keyword or target likewise. */
export const useTargetSwitch = () => {
  const client = useQueryClient()
  const { mutate } = useMutation(changeTarget(client))
  return (kind: 'keyword' | 'target', row: { id: number; text: string; state: string; version: number }): void => {
    const state = otherState(row.state)
    const back = state && otherState(state)
    if (!state || !back) return
    mutate(
      { kind, id: row.id, version: row.version, state },
      {
        onSuccess: ({ version }) =>
          told(kind === 'keyword' ? 'Keyword' : 'Target', state, row.text, () =>
            mutate({ kind, id: row.id, version, state: back }),
          ),
      },
    )
  }
}
