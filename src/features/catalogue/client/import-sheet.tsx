import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#client/api/call.ts'
import { download } from '#client/api/download.ts'
import { formatAge, formatDay, formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { serverNow } from '#client/api/server-clock.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { beginning } from '../contract.ts'
import {
  costFileBytes,
  type CostFault,
  costImportEndpoints,
  type CostPreview,
  type DecimalMark,
} from '../cost-import-contract.ts'
import { catalogueQueries } from './queries.ts'

interface ImportSheetProps {
  shop: Shop
  onClose: () => void
}

interface CostFile {
  fileName: string
  /** In base64. */
  content: string
  decimal?: DecimalMark
}

/** Costs from a file: a template, what would change and what is wrong with which line, and then all of it at once. */
export function ImportSheet({ shop, onClose }: ImportSheetProps) {
  const client = useQueryClient()
  const [file, setFile] = useState<CostFile | null>(null)
  const send = useMutation({
    mutationFn: (request: CostFile & { apply: 'NONE' | 'ALL' | 'VALID' }) =>
      call(costImportEndpoints.importCosts, { body: request }, { shop: shopText(shop) }),
    meta: { errorTitle: 'The file could not be imported' },
  })
  const preview = send.data
  const read = (next: CostFile): void => {
    setFile(next)
    send.mutate({ ...next, apply: 'NONE' })
  }
  const apply = async (): Promise<void> => {
    if (!file || !preview) return
    const done = await send.mutateAsync({ ...file, apply: preview.faultsTotal > 0 ? 'VALID' : 'ALL' }).catch(() => null)
    if (!done) return
    onClose()
    const { importId } = done
    toast({
      title: `${formatNumber(done.changesTotal)} ${done.changesTotal === 1 ? 'cost' : 'costs'} imported`,
      tone: 'success',
      ...(importId !== null && { action: { label: 'Undo', onSelect: () => void undoImport(client, importId) } }),
    })
    await client.invalidateQueries({ predicate: query => query.meta?.figures === true })
  }
  return (
    <Sheet
      open
      title="Import costs"
      onClose={onClose}
      footer={
        preview && preview.changesTotal > 0 && preview.importId === null ? (
          <Button tone="primary" block disabled={send.isPending} onClick={() => void apply()}>
            {applyText(preview)}
          </Button>
        ) : undefined
      }
    >
      <Choose shop={shop} onFile={read} />
      {send.isPending && <Skeleton rows={3} kind="line" label="Reading the file" />}
      {!send.isPending && preview && file && (
        <Preview preview={preview} fileName={file.fileName} onDecimal={decimal => read({ ...file, decimal })} />
      )}
      {!file && <Imports shop={shop} />}
    </Sheet>
  )
}

function applyText({ changesTotal, faultsTotal }: CostPreview): string {
  const what = `${formatNumber(changesTotal)} ${changesTotal === 1 ? 'cost' : 'costs'}`
  return faultsTotal > 0 ? `Import ${what}, leave out lines with problems` : `Import ${what}`
}

async function undoImport(client: ReturnType<typeof useQueryClient>, importId: number): Promise<void> {
  try {
    const { restored, changedSince } = await call(costImportEndpoints.undoCostImport, { params: { importId } })
    toast({
      title: `${formatNumber(restored)} ${restored === 1 ? 'cost' : 'costs'} restored`,
      ...(changedSince > 0 && { message: `${formatNumber(changedSince)} changed since then and stay as they are.` }),
      tone: 'success',
    })
  } catch (error) {
    toast({ title: 'The import could not be undone', message: (error as Error).message, tone: 'danger' })
  }
  await client.invalidateQueries({ predicate: query => query.meta?.figures === true })
}

function Choose({ shop, onFile }: { shop: Shop; onFile: (file: CostFile) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (/\.xlsx?$/i.test(file.name))
      return setProblem('This is a workbook. Save the sheet as CSV and choose that file.')
    if (file.size > costFileBytes) return setProblem('The file has more than 2 MB. Split it.')
    setProblem(null)
    onFile({ fileName: file.name.slice(0, 200), content: await base64Of(file) })
  }
  const template = useMutation({
    mutationFn: () =>
      download(costImportEndpoints.costTemplate, { query: { format: 'csv' } }, { shop: shopText(shop) }),
    meta: { errorTitle: 'The template could not be saved' },
  })
  return (
    <>
      <p>
        A CSV file with the columns <code>sku</code>, <code>cogs</code> and, if you like, <code>valid_from</code> (a day
        like 2026-03-31). Without a day a cost is valid from today, and the first cost of a product from the beginning.
      </p>
      <div className="button-row">
        <Button tone="primary" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <Button onClick={() => template.mutate()} disabled={template.isPending}>
          Template with your SKUs
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        aria-label="File of costs"
        tabIndex={-1}
        accept=".csv,.tsv,.txt,text/csv"
        onChange={event => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {problem && (
        <p className="field-error" aria-live="polite">
          {problem}
        </p>
      )}
    </>
  )
}

const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    // A data URL, of which the bytes come after the comma.
    reader.addEventListener('load', () => {
      // Read as a data URL, it is always a text.
      const url = typeof reader.result === 'string' ? reader.result : ''
      resolve(url.replace(/^[^,]*,?/, ''))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })

const marks = [
  { value: 'POINT', label: 'A point' },
  { value: 'COMMA', label: 'A comma' },
] as const

interface PreviewProps {
  preview: CostPreview
  fileName: string
  onDecimal: (decimal: DecimalMark) => void
}

function Preview({ preview, fileName, onDecimal }: PreviewProps) {
  const { currency, changes, changesTotal, unchanged, faults, faultsTotal, decimal, ambiguous } = preview
  return (
    <div className="import-preview" aria-live="polite">
      <h3 dir="auto">{fileName}</h3>
      {decimal === null ? (
        <>
          <p>“{ambiguous}” can mean two amounts. Do decimals come after a point or a comma in this file?</p>
          <div className="button-row">
            {marks.map(({ value, label }) => (
              <Button key={value} onClick={() => onDecimal(value)}>
                {label}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <p>
          {formatNumber(changesTotal)} {changesTotal === 1 ? 'cost changes' : 'costs change'}, {formatNumber(unchanged)}{' '}
          {unchanged === 1 ? 'stays' : 'stay'} as {unchanged === 1 ? 'it is' : 'they are'}
          {faultsTotal > 0 && `, ${formatNumber(faultsTotal)} ${faultsTotal === 1 ? 'problem' : 'problems'}`}. Nothing
          has been changed yet.
        </p>
      )}
      <Faults faults={faults} total={faultsTotal} />
      {changes.length > 0 && (
        <table className="import-table">
          <caption className="visually-hidden">What would change</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">From</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ line, sku, title, validFrom, before, after }) => (
              <tr key={line}>
                <th scope="row">
                  <bdi>{sku}</bdi>
                  {title && <small dir="auto">{title}</small>}
                </th>
                <td>{validFrom === beginning ? 'the beginning' : formatDay(validFrom)}</td>
                <td>{before === null ? '–' : formatMoney(before, currency)}</td>
                <td>
                  <strong>{formatMoney(after, currency)}</strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changesTotal > changes.length && (
        <p className="data-age">And {formatNumber(changesTotal - changes.length)} more.</p>
      )}
    </div>
  )
}

const fieldNames: Record<CostFault['field'], string> = {
  file: '',
  sku: 'SKU',
  cogs: 'COGS',
  valid_from: 'Day',
  currency: 'Currency',
}

function Faults({ faults, total }: { faults: readonly CostFault[]; total: number }) {
  if (!faults.length) return null
  return (
    <section aria-label="Lines with problems">
      <ul className="import-faults">
        {faults.map(({ line, field, value, message }, index) => (
          <li key={`${line} ${field} ${index}`}>
            <strong>Line {formatNumber(line)}</strong>
            <span>
              {fieldNames[field] && `${fieldNames[field]} `}
              {value && <bdi>“{value}”: </bdi>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      {total > faults.length && <p className="data-age">And {formatNumber(total - faults.length)} more.</p>}
    </section>
  )
}

/** The last imports, each of which can be undone. */
function Imports({ shop }: { shop: Shop }) {
  const client = useQueryClient()
  const { data } = useQuery(catalogueQueries.costImports(shop))
  if (!data?.length) return null
  return (
    <section aria-label="Last imports" className="import-list">
      <h3>Last imports</h3>
      <ul>
        {data.map(({ id, fileName, createdAt, changes, undoneAt }) => (
          <li key={id}>
            <span>
              <bdi>{fileName}</bdi>
              <small>
                {formatNumber(changes)} {changes === 1 ? 'cost' : 'costs'}, {formatAge(createdAt, serverNow())}
              </small>
            </span>
            {undoneAt ? <small>Undone</small> : <Button onClick={() => void undoImport(client, id)}>Undo</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}
