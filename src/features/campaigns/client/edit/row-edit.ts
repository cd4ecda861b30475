import { call, type CallOptions } from '#client/api/call.ts'
import type { SendEdit } from '#client/outbox/flush-outbox.ts'
import {
  type Ad,
  type AdGroup,
  type Campaign,
  type Changes,
  structureEndpoints,
  type Target,
} from '#features/structure/contract.ts'

/** The rows that are edited, and what may be set of each; keywords and targets are changed by calls of their own. */
export interface RowChanges extends Omit<Changes, 'target'> {
  keyword: Changes['target']
  target: Changes['target']
}
export type RowKind = keyof RowChanges

/** One change of one row: what is set, and what the same fields held before. */
export interface RowEdit<K extends RowKind = RowKind> {
  kind: K
  id: number
  version: number
  /** What the row is called. */
  name: string
  set: RowChanges[K]
  was: RowChanges[K]
}

export type EditedRow = Campaign | AdGroup | Ad | Target

/** Sends a change on top of a version of its row; answers the row as it then is. */
export function sendRow(
  kind: RowKind,
  id: number,
  set: RowChanges[RowKind],
  options: Required<Pick<CallOptions, 'ifMatch'>> & Pick<CallOptions, 'onlyAs'>,
): Promise<EditedRow> {
  const params = { id }
  switch (kind) {
    case 'campaign':
      return call(
        structureEndpoints.updateCampaign,
        { body: { campaignId: id, ...(set as RowChanges['campaign']) } },
        options,
      )
    case 'adGroup':
      return call(structureEndpoints.updateAdGroup, { params, body: set as RowChanges['adGroup'] }, options)
    case 'ad':
      return call(structureEndpoints.updateAd, { params, query: set as { state: 'ENABLED' | 'PAUSED' } }, options)
    case 'keyword':
      return call(structureEndpoints.updateKeyword, { params, query: set as RowChanges['keyword'] }, options)
    case 'target':
      return call(structureEndpoints.updateTarget, { params, query: set as RowChanges['target'] }, options)
  }
}

/** How the outbox sends an offline change; the server validates it. */
function sender(kind: RowKind): SendEdit {
  return ({ row, set, user }, version) => sendRow(kind, row, set, { ifMatch: version ?? 0, onlyAs: user })
}

export const rowSenders: Record<RowKind, SendEdit> = {
  campaign: sender('campaign'),
  adGroup: sender('adGroup'),
  ad: sender('ad'),
  keyword: sender('keyword'),
  target: sender('target'),
}
