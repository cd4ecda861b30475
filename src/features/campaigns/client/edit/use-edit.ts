import { mutationOptions, onlineManager, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call, type CallOptions } from '#client/api/call.ts'
import { type EditField, type EditKind, sendOnTop } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { shopText, useShop } from '#features/accounts/client/public.ts'
import {
  type Ad,
  type AdGroup,
  type Campaign,
  type Changes,
  structureEndpoints,
  type Target,
} from '#features/structure/contract.ts'
import { describeChange, type FieldValue, fieldsOfKind, formatField, type RowKind } from '../form/field-labels.ts'
import type { Field } from '#shared/fields.ts'
import { campaignQueries } from '../queries.ts'

/** The rows that are edited, and what may be set of each; keywords and targets are changed by calls of their own. */
export interface RowChanges extends Omit<Changes, 'target'> {
  keyword: Changes['target']
  target: Changes['target']
}

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
  options: Required<Pick<CallOptions, 'ifMatch'>> & Pick<CallOptions, 'onlyAs' | 'idempotencyKey'>,
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

/** What the outbox knows of the changes of a row. */
function rowKind(kind: RowKind): EditKind {
  const fields = fieldsOfKind(kind)
  return {
    // The server validates it.
    send: async ({ id, row, set, user }, version) =>
      void (await sendRow(kind, row, set, { ifMatch: version ?? 0, onlyAs: user, idempotencyKey: id })),
    fields: ({ set, currency = 'USD' }) =>
      Object.entries(set).flatMap(([name, value]): EditField[] => {
        const field = fields[name]
        return field && field.kind !== 'json' ? [fieldOf(name, field, value, currency)] : []
      }),
    revise: ({ set, currency = 'USD' }, values) => {
      const revised = { ...set, ...values }
      return { set: revised, words: describeChange(kind, revised, currency) }
    },
  }
}

function fieldOf(name: string, field: Field, value: unknown, currency: string): EditField {
  const shown = { name, label: field.label, value, format: formatted }
  const { kind, edit } = field
  function formatted(of: unknown): string {
    return formatField(name, field, (of ?? null) as FieldValue, currency)
  }
  if (kind !== 'money' && kind !== 'percent') return shown
  const problemOf = (amount: number | null): string | null =>
    edit ? (v.safeParse(edit, amount).issues?.[0].message ?? null) : null
  return { ...shown, input: kind, problemOf }
}

export const rowKinds: Record<RowKind, EditKind> = {
  campaign: rowKind('campaign'),
  adGroup: rowKind('adGroup'),
  ad: rowKind('ad'),
  keyword: rowKind('keyword'),
  target: rowKind('target'),
}

const undoMs = 10_000

interface NamedEdit<K extends RowKind> {
  edit: RowEdit<K>
  /** What a notification says once it is saved: "Campaign paused". */
  title: string
  currency: string
  /** Where the row is found. */
  href: string
}

/**
 * Edits rows of one kind: at once, with ten seconds to undo it unless it is final; or, while the server does not answer,
 * queued in the outbox until it does. Rejects with the server's error.
 */
export function useEdit<K extends RowKind>(kind: K, meta: { silent?: boolean } = {}) {
  const shop = useShop()
  const { mutateAsync, isPending } = useMutation(changeRow(useQueryClient(), kind, meta))
  const noteOf = ({ edit, currency, href }: NamedEdit<K>): NewEdit => {
    const { id: row, name, version, set, was } = edit
    const words = describeChange(kind, set, currency)
    return { kind, row, name, version, words, set: { ...set }, was: { ...was }, shop: shopText(shop), href, currency }
  }
  const make = async (named: NamedEdit<K>): Promise<void> => {
    const { edit, title } = named
    const saved = await mutateAsync({ edit, note: noteOf(named) })
    // The row and the list of pending edits on every page say so; a notification would be the third.
    if (!saved) return
    const { version } = saved.answer
    const isFinal = 'state' in edit.set && edit.set.state === 'ARCHIVED'
    const isRestorable = !isFinal && Object.keys(edit.set).every(field => field in edit.was)
    const undone: RowEdit<K> = { ...edit, version, set: edit.was, was: edit.set }
    const undo = { edit: undone, note: noteOf({ ...named, edit: undone }) }
    const action = { label: 'Undo', onSelect: () => void mutateAsync(undo).catch(() => undefined) }
    toast({ title, message: edit.name, durationMs: undoMs, ...(isRestorable && { action }) })
  }
  return { make, isPending }
}

export const failureTitles: Record<RowKind, string> = {
  campaign: 'Failed to update campaign',
  adGroup: 'Failed to update ad group',
  ad: 'Failed to update ad',
  keyword: 'Failed to update target',
  target: 'Failed to update target',
}

/** Changes a row; the lists show the change at once and revert it when the server rejects it or does not answer. */
function changeRow(client: QueryClient, kind: RowKind, meta: { silent?: boolean }) {
  return mutationOptions({
    mutationFn: ({ edit: { id, set, was, version }, note }: { edit: RowEdit; note: NewEdit }) =>
      sendOrKeep(note, idempotencyKey =>
        sendOnTop({ set: { ...set }, was: { ...was }, version }, ifMatch =>
          sendRow(kind, id, set, { ifMatch, idempotencyKey }),
        ),
      ),
    onMutate: ({ edit: { id, set } }) => {
      if (onlineManager.isOnline()) patchRows(client, kind, id, { ...set, syncState: 'PENDING', syncError: null })
    },
    onSuccess: (saved, { edit: { id, was } }) => {
      // The outbox shows what waits, over the row as it was.
      if (!saved) return patchRows(client, kind, id, { ...was, syncState: 'SYNCED' })
      patchRows(client, kind, id, saved.answer)
      if (kind === 'campaign') void client.invalidateQueries({ queryKey: [...campaignQueries.all, 'one'] })
    },
    onError: () => client.invalidateQueries({ queryKey: campaignQueries.all }),
    meta: { errorTitle: failureTitles[kind], ...meta },
  })
}

interface ListPage {
  content: readonly { id: number }[]
}

/** The queries that show each kind of row. */
const listsOf: Record<RowKind, readonly string[]> = {
  campaign: ['list', 'row'],
  adGroup: ['ad-groups', 'ad-group'],
  ad: ['ads'],
  keyword: ['keywords', 'wasting'],
  target: ['targets', 'wasting'],
}

/** Changes a row wherever it is on screen or cached, until the server's own answer replaces it. */
function patchRows(client: QueryClient, kind: RowKind, id: number, change: object): void {
  const patchPage = (page: ListPage): ListPage =>
    page.content.some(row => row.id === id)
      ? { ...page, content: page.content.map(row => (row.id === id ? { ...row, ...change } : row)) }
      : page
  for (const list of listsOf[kind])
    client.setQueriesData({ queryKey: [...campaignQueries.all, list] }, (data: unknown) => {
      if (isPaged(data)) return { ...data, pages: data.pages.map(patchPage) }
      return isPage(data) ? patchPage(data) : data
    })
}

const isPage = (data: unknown): data is ListPage => typeof data === 'object' && data !== null && 'content' in data
const isPaged = (data: unknown): data is { pages: ListPage[] } =>
  typeof data === 'object' && data !== null && 'pages' in data
