import { onlineManager, useMutation, useQueryClient } from '@tanstack/react-query'
import { queueEdit } from '#client/outbox/outbox.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { shopText, useShop } from '#features/accounts/client/public.ts'
import { changeRow } from './change-row.ts'
import { editWords } from './edit-words.ts'
import type { RowEdit, RowKind } from './row-edit.ts'

const undoMs = 10_000

interface Asked<K extends RowKind> {
  edit: RowEdit<K>
  /** What to say once it is made: "Campaign paused". */
  told: string
  currency: string
  /** Where the row is found. */
  href: string
}

/**
 * Makes a change of rows of one kind: at once, with ten seconds to take it back unless it is for good; or, without
 * network, kept in the outbox until there is one. Rejects with what it is refused for.
 */
export const useEdit = <K extends RowKind>(kind: K, meta: { silent?: boolean } = {}) => {
  const shop = useShop()
  const { mutateAsync, isPending } = useMutation(changeRow(useQueryClient(), kind, meta))
  const wait = ({ edit, currency, href }: Asked<K>): void => {
    const words = editWords(edit.set, currency)
    const { id: row, name, version } = edit
    const values = { set: { ...edit.set }, was: { ...edit.was } }
    // The row says so, and what waits is listed on every page; a notification would be the third to tell.
    queueEdit({ kind, row, name, version, words, ...values, shop: shopText(shop), href })
  }
  const make = async (asked: Asked<K>): Promise<void> => {
    if (!onlineManager.isOnline()) return wait(asked)
    const { edit, told } = asked
    const { version } = await mutateAsync(edit)
    const forGood = 'state' in edit.set && edit.set.state === 'ARCHIVED'
    const known = Object.keys(edit.set).every(field => field in edit.was)
    const back: RowEdit<K> = { ...edit, version, set: edit.was, was: edit.set }
    toast({
      title: told,
      message: edit.name,
      durationMs: undoMs,
      ...(!forGood &&
        known && { action: { label: 'Undo', onSelect: () => void mutateAsync(back).catch(() => undefined) } }),
    })
  }
  return { make, isPending }
}
