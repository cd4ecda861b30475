import './saved-views.css'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { RowMenu, type RowAction } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type ListName, type View, viewEndpoints } from '../contract.ts'

export type ViewSearch = View['search']

/** The saved views of the user; they stay on the device, so that one can be opened without network. */
export const viewQueries = {
  all: ['views'] as const,
  list: (list: ListName) =>
    queryOptions({
      queryKey: ['views', list],
      queryFn: ({ signal }) => call(viewEndpoints.list, { query: { list } }, { signal }),
      meta: { persist: 'idb', silent: true },
    }),
}

interface SavedViewsProps {
  list: ListName
  /** What the address holds of the list, without the view's own id. */
  search: ViewSearch
  /** The view that was opened last. */
  current: number | undefined
  /** Shows a view in place of everything that the list is narrowed to; null: the whole list. */
  onOpen: (view: View | null) => void
}

/** The views that the user saved of a list: opened, saved, renamed, replaced, deleted, or opened with the list. */
export function SavedViews({ list, search, current, onOpen }: SavedViewsProps) {
  const { data: views = [] } = useQuery(viewQueries.list(list))
  const online = useOnline()
  const [renamed, setRenamed] = useState<View | null>(null)
  const { save, update } = useViewChanges()
  const add = async (name: string): Promise<void> => {
    const saved = await save.mutateAsync({ list, name, search })
    onOpen(saved)
  }
  const rename = async (view: View, name: string): Promise<void> => {
    await update.mutateAsync({ id: view.id, name })
    setRenamed(null)
  }
  return (
    <fieldset className="saved-views">
      <legend>Saved views</legend>
      {views.length > 0 && (
        <ul aria-label="Saved views">
          {views.map(view =>
            renamed?.id === view.id ? (
              <li key={view.id}>
                <NameField
                  label="New name"
                  initial={view.name}
                  button="Rename"
                  onSave={name => rename(view, name)}
                  onCancel={() => setRenamed(null)}
                />
              </li>
            ) : (
              <ViewRow
                key={view.id}
                view={view}
                search={search}
                isCurrent={view.id === current}
                onOpen={onOpen}
                onRename={() => setRenamed(view)}
              />
            ),
          )}
        </ul>
      )}
      {online ? (
        <details>
          <summary>Save what the list shows now</summary>
          <NameField label="Save this view as" initial="" button="Save view" onSave={add} />
        </details>
      ) : (
        <p className="field-help">Views can be opened without a network, and saved once you are online again.</p>
      )}
      {current !== undefined && current > 0 && <Button onClick={() => onOpen(null)}>Show the whole list</Button>}
    </fieldset>
  )
}

function useViewChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: viewQueries.all })
  type Body = Parameters<typeof call<typeof viewEndpoints.update>>[1]['body']
  return {
    save: useMutation({
      mutationFn: (body: { list: ListName; name: string; search: ViewSearch }) => call(viewEndpoints.create, { body }),
      meta: { errorTitle: 'The view was not saved' },
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: Body & { id: number }) => call(viewEndpoints.update, { params: { id }, body }),
      meta: { errorTitle: 'The view was not changed' },
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: number) => call(viewEndpoints.remove, { params: { id } }),
      meta: { errorTitle: 'The view was not deleted' },
      onSuccess,
    }),
  }
}

interface ViewRowProps {
  view: View
  search: ViewSearch
  isCurrent: boolean
  onOpen: (view: View | null) => void
  onRename: () => void
}

function ViewRow({ view, search, isCurrent, onOpen, onRename }: ViewRowProps) {
  const online = useOnline()
  const { update, remove } = useViewChanges()
  const isChanged = isCurrent && !isSameSearch(view.search, search)
  const drop = async (): Promise<void> => {
    const sure = await confirm({ title: `Delete “${view.name}”?`, confirmText: 'Delete view', tone: 'danger' })
    if (!sure) return
    await remove.mutateAsync(view.id).catch(() => undefined)
    if (isCurrent) onOpen(null)
  }
  const actions: RowAction[] = [
    { label: 'Rename', onSelect: onRename },
    {
      label: view.isDefault ? 'Do not open the list with it' : 'Open the list with it',
      onSelect: () => update.mutate({ id: view.id, isDefault: !view.isDefault }),
    },
    { label: 'Delete', tone: 'danger', onSelect: () => void drop() },
  ]
  return (
    <li>
      <button type="button" className="saved-view" aria-current={isCurrent || undefined} onClick={() => onOpen(view)}>
        {view.name}
        {view.isDefault && <span className="tag">Default</span>}
        {isChanged && <span className="field-help">Changed</span>}
      </button>
      {isChanged && online && <Button onClick={() => update.mutate({ id: view.id, search })}>Save changes</Button>}
      {online && <RowMenu name={view.name} actions={actions} />}
    </li>
  )
}

const sorted = (search: ViewSearch): string =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b)))
const isSameSearch = (a: ViewSearch, b: ViewSearch): boolean => sorted(a) === sorted(b)

interface NameFieldProps {
  label: string
  initial: string
  button: string
  onSave: (name: string) => Promise<void>
  onCancel?: () => void
}

function NameField({ label, initial, button, onSave, onCancel }: NameFieldProps) {
  const [name, setName] = useState(initial)
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    // The error policy reports a failure; the name stays, to be saved again.
    await onSave(name.trim()).then(
      () => setName(''),
      () => undefined,
    )
    setBusy(false)
  }
  return (
    <form
      className="view-name"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim()) void save()
      }}
    >
      <TextField label={label} name="viewName" value={name} maxLength={60} onChange={setName} />
      <Button type="submit" busy={isBusy} disabled={!name.trim()}>
        {button}
      </Button>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </form>
  )
}

/** Opens a list with its default view, when its address says nothing else. */
export function useDefaultView(list: ListName, isPlain: boolean, onOpen: (view: View) => void): void {
  const { data } = useQuery({ ...viewQueries.list(list), enabled: isPlain })
  const usual = isPlain ? data?.find(view => view.isDefault) : undefined
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    if (usual) open(usual)
  }, [usual])
}
