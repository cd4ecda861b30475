/** A page that is open. */
export interface OpenPage {
  focused: boolean
  focus: () => Promise<unknown>
  postMessage: (message: unknown, options?: { transfer: Transferable[] }) => void
  navigate: (url: string) => Promise<unknown>
}

/** What the notifications use of the service worker's global scope, so that they can be tested without one. */
export interface WorkerScope {
  registration: {
    showNotification: (title: string, options: NotificationOptions) => Promise<void>
    pushManager: { subscribe: (options: PushSubscriptionOptionsInit) => Promise<unknown> }
  }
  navigator: { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled?: boolean }) => Promise<readonly OpenPage[]>
    openWindow: (url: string) => Promise<unknown>
  }
}
