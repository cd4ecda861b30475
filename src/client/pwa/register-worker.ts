import { Workbox } from 'workbox-window'
import { toast } from '../ui/shell/toast-store.ts'
import { canReloadNow, whenReloadAllowed } from './can-reload-now.ts'

export type WorkerMessage = { type: 'navigate'; url: string } | { type: 'push' } | { type: 'subscription' }

/**
 * Registers the worker, offers a new version with a notification and follows its messages. A new version is never
 * forced: it waits for the user, and the offer waits until nothing can be lost.
 */
export async function registerWorker(onMessage: (message: WorkerMessage) => void): Promise<void> {
  const workbox = new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
  let reloading = false
  let accepted = false
  const accept = (): void => {
    accepted = true
    workbox.messageSkipWaiting()
  }
  workbox.addEventListener('waiting', () => whenReloadAllowed(() => offerUpdate(accept)))
  workbox.addEventListener('controlling', ({ isUpdate }) => {
    // A page that was opened before there was any worker does not count as updated.
    if (!(isUpdate || accepted) || reloading || !canReloadNow()) return
    reloading = true
    location.reload()
  })
  workbox.addEventListener('message', ({ data }: { data: WorkerMessage }) => onMessage(data))
  const registration = await workbox.register()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    void registration?.update().catch(() => undefined)
  })
}

function offerUpdate(accept: () => void): void {
  toast({
    title: 'A new version is ready',
    durationMs: Number.POSITIVE_INFINITY,
    action: { label: 'Reload', onSelect: () => whenReloadAllowed(accept) },
  })
}
