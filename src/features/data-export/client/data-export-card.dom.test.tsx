import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#client/api/query-client.ts'
import { signInAs } from '../../../../tests/support/test-edit.ts'
import { DataExportCard } from './data-export-card.tsx'
import { waitUntil } from '../../../../tests/support/wait-until.ts'

afterEach(cleanup)

test('the download says how far it is, and is saved once all of it came', async () => {
  const sent: string[] = []
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  vi.stubGlobal('fetch', (url: string) => {
    sent.push(url)
    const body = new ReadableStream<Uint8Array>({ start: controller => void (stream = controller) })
    const headers = {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="tideline-data-2026-11-23.json"',
    }
    return Promise.resolve(new Response(body, { headers }))
  })
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => undefined
  signInAs('1')
  render(
    <QueryClientProvider client={createQueryClient()}>
      <DataExportCard />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Download your data' }))
  expect(await screen.findByRole('button', { name: 'Downloading…' })).toHaveProperty('disabled', true)
  await waitUntil(() => expect(stream).toBeDefined())
  stream?.enqueue(new Uint8Array(1_234_567))
  expect(await screen.findByText('1.2 MB so far')).toBeTruthy()
  expect(saved).toEqual([])
  stream?.close()
  expect(await screen.findByText('Saved: 1.2 MB')).toBeTruthy()
  expect(sent).toEqual(['/api/user/export'])
  expect(saved).toEqual(['tideline-data-2026-11-23.json'])
})
