import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { download } from '#client/api/download.ts'
import { useOnline } from '#client/api/online.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { dataExportEndpoints } from '../contract.ts'
import { formatNumber } from '#client/ui/figures/format.ts'

const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${formatNumber(bytes / 1e6, 1)} MB`

/** Among the settings: saves everything that the user owns as a file. */
export function DataExportCard() {
  const online = useOnline()
  const [bytes, setBytes] = useState(0)
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => download(dataExportEndpoints.download, {}, { onProgress: setBytes }),
    onMutate: () => setBytes(0),
    meta: { errorTitle: 'Your data could not be downloaded' },
  })
  return (
    <Card title="Your data">
      <p>
        One file with your account, subscription, invoices, referrals and connections, and your campaigns with all their
        changes. It is JSON, which other programs can read.
      </p>
      <Button busy={isPending} busyLabel="Downloading…" disabled={!online} onClick={() => mutate()}>
        Download your data
      </Button>
      <output className="list-row-detail">
        {isPending && bytes > 0 && `${sizeText(bytes)} so far`}
        {isSuccess && !isPending && `Saved: ${sizeText(bytes)}`}
      </output>
    </Card>
  )
}
