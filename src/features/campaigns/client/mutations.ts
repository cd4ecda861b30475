import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { campaignEndpoints, type Campaign, type CampaignChange, type Target } from '../contract.ts'
import { campaign } from '../row-schemas.ts'
import { type PatchedKind, patchRows } from './patch-rows.ts'
import { campaignQueries } from './queries.ts'

/** The row as it is now, when a change was refused because it is no longer what the user saw. */
export const currentOf = (error: unknown): Campaign | null => {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const parsed = v.safeParse(campaign, error.extra.current)
  return parsed.success ? parsed.output : null
}

export type VersionedCampaignChange = CampaignChange & { version: number }

/** Changes a campaign; the lists show the change at once and take it back when it is refused. */
export const changeCampaign = (client: QueryClient, meta: { silent?: boolean } = {}) =>
  mutationOptions({
    mutationFn: ({ version, ...body }: VersionedCampaignChange) =>
      call(campaignEndpoints.update, { body }, { ifMatch: version }),
    onMutate: ({ campaignId, ...change }) =>
      patchRows(client, 'campaign', campaignId, { ...change, syncState: 'PENDING', syncError: null }),
    onSuccess: row => {
      patchRows(client, 'campaign', row.id, row)
      void client.invalidateQueries({ queryKey: [...campaignQueries.all, 'one'] })
    },
    onError: () => client.invalidateQueries({ queryKey: campaignQueries.all }),
    meta: { errorTitle: 'Failed to update campaign', ...meta },
  })

export interface TargetEdit {
  kind: Exclude<PatchedKind, 'campaign'>
  id: number
  version: number
  bid?: number
  state?: 'ENABLED' | 'PAUSED'
}

/** Changes a keyword or target likewise. */
export const changeTarget = (client: QueryClient) =>
  mutationOptions({
    mutationFn: ({ kind, id, version, ...query }: TargetEdit): Promise<Target> =>
      call(
        kind === 'keyword' ? campaignEndpoints.updateKeyword : campaignEndpoints.updateTarget,
        { params: { id }, query },
        { ifMatch: version },
      ),
    onMutate: ({ kind, id, ...change }) =>
      patchRows(client, kind, id, { ...change, syncState: 'PENDING', syncError: null }),
    onSuccess: (row, { kind }) => patchRows(client, kind, row.id, row),
    onError: () => client.invalidateQueries({ queryKey: campaignQueries.all }),
    meta: { errorTitle: 'Failed to update target' },
  })
