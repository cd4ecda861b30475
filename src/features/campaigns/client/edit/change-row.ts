import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { patchRows } from '../patch-rows.ts'
import { campaignQueries } from '../queries.ts'
import { type RowEdit, type RowKind, sendRow } from './row-edit.ts'

const failed: Record<RowKind, string> = {
  campaign: 'Failed to update campaign',
  adGroup: 'Failed to update ad group',
  ad: 'Failed to update ad',
  keyword: 'Failed to update target',
  target: 'Failed to update target',
}

/** Changes a row; the lists show the change at once and take it back when it is refused. */
export const changeRow = (client: QueryClient, kind: RowKind, meta: { silent?: boolean } = {}) =>
  mutationOptions({
    mutationFn: ({ id, set, version }: RowEdit) => sendRow(kind, id, set, { ifMatch: version }),
    onMutate: ({ id, set }) => patchRows(client, kind, id, { ...set, syncState: 'PENDING', syncError: null }),
    onSuccess: row => {
      patchRows(client, kind, row.id, row)
      if (kind === 'campaign') void client.invalidateQueries({ queryKey: [...campaignQueries.all, 'one'] })
    },
    onError: () => client.invalidateQueries({ queryKey: campaignQueries.all }),
    meta: { errorTitle: failed[kind], ...meta },
  })
