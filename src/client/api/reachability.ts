import { onlineManager } from '@tanstack/react-query'

// What says that the server answers: not a GET, which the service worker would answer from its cache.
const probe = { url: '/icon.svg', method: 'HEAD', timeoutMs: 3000 }
const againAfterMs = [1000, 2000, 4000, 8000, 15_000]

let started = false
let lost: AbortController | undefined

/**
 * Treats a server that does not answer as no network, also when the device says that it is online: screens then show their
 * last figures with their age at once, and changes wait. It ends by itself as soon as the server answers again.
 */
export function startReachability(): void {
  started = true
}

/** A request got no answer. Asks the server once more; if that has none either, the app is offline until it has. */
export function noteUnreached(): void {
  if (!started || lost || !onlineManager.isOnline()) return
  lost = new AbortController()
  void untilAnswer(lost.signal)
}

/** The server answered a request. */
export function noteReached(): void {
  if (!lost) return
  lost.abort()
  lost = undefined
  if (navigator.onLine) onlineManager.setOnline(true)
}

async function untilAnswer(answered: AbortSignal): Promise<void> {
  for (let failures = 0; !answered.aborted; failures += 1) {
    if (document.visibilityState === 'visible' || failures === 0) {
      if (await answers()) return noteReached()
      if (!answered.aborted) onlineManager.setOnline(false)
    }
    await pause(againAfterMs[Math.min(failures, againAfterMs.length - 1)] ?? 0)
  }
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch(probe.url, {
      method: probe.method,
      cache: 'no-store',
      signal: AbortSignal.timeout(probe.timeoutMs),
    })
    // A proxy answers for a server that does not run.
    return response.status < 500
  } catch {
    return false
  }
}

/** Waits, but no longer than until somebody looks at the page or the device is online again. */
async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = new AbortController()
  const timer = setTimeout(resolve, ms)
  document.addEventListener('visibilitychange', () => resolve(), { signal: ended.signal })
  addEventListener('online', () => resolve(), { signal: ended.signal })
  await promise
  clearTimeout(timer)
  ended.abort()
}
