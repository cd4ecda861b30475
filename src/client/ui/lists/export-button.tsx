import { useMutation } from '@tanstack/react-query'
import { downloadOutline } from 'ionicons/icons'
import { useRef } from 'react'
import { download } from '#client/api/download.ts'
import { useOnline } from '#client/api/online.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'
import type { Endpoint } from '#shared/define-endpoint.ts'
import type { ExportFormat } from '#shared/export-file.ts'

interface ExportButtonProps {
  endpoint: Endpoint & { file: readonly string[] }
  /** What the rows are, in the plural: "campaigns". */
  what: string
  /** The list's query as the screen has it, without pages. */
  filter: object
  /** The columns of the screen in their order; every column when absent. */
  columns?: readonly string[]
  /** How many rows match; nothing to export when 0. */
  count: number | undefined
  /** The shop on the screen, see `shopText`: the file is of no other. */
  shop: string
}

const choices: Record<string, ExportFormat> = { 'CSV file': 'csv', 'Excel file (XLSX)': 'xlsx' }

/** Saves all rows that match, in the order and with the columns of the screen, as a file. */
export function ExportButton({ endpoint, what, filter, columns, count, shop }: ExportButtonProps) {
  const online = useOnline()
  const running = useRef<AbortController>(null)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { signal } = (running.current = new AbortController())
      const query = { ...filter, format, ...(columns && { columns: columns.join() }) }
      try {
        // Which filter goes with which endpoint is the page's to know.
        await download(endpoint, { query } as never, { signal, shop })
        return true
      } catch (error) {
        if (signal.aborted) return false
        throw error
      }
    },
    meta: { errorTitle: `Failed to export ${what}` },
  })
  const save = async (): Promise<void> => {
    const title = `Export ${formatNumber(count ?? 0)} ${what}`
    const chosen = await actionSheet({ title, actions: Object.keys(choices).map(label => ({ label })) })
    const format = chosen === undefined ? undefined : choices[chosen]
    if (!format) return
    const action = { label: 'Cancel', onSelect: () => running.current?.abort() }
    const progress = toast({
      title: `Exporting ${what}`,
      message: 'The file is being made.',
      durationMs: Infinity,
      action,
    })
    try {
      if (await mutateAsync(format)) toast({ title: `Saved ${formatNumber(count ?? 0)} ${what}`, tone: 'success' })
    } catch {
      // Said by the mutation.
    } finally {
      dismissToast(progress)
    }
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Export ${what}`}
      title={online ? undefined : 'Exporting needs a network connection'}
      disabled={!online || isPending || !count}
      onClick={() => void save()}
    >
      <Icon icon={downloadOutline} />
    </button>
  )
}
