export type ToastTone = 'plain' | 'success' | 'danger' | 'warning'

export interface ToastContent {
  title: string
  message?: string
  tone?: ToastTone
  /** One thing to do about it, such as Undo or Reload. */
  action?: { label: string; onSelect: () => void }
  /** How long it stays; 4 seconds unless told, for ever with Infinity. */
  durationMs?: number
}
export interface Toast extends ToastContent {
  id: number
}

const atMost = 3
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly Toast[]): void => {
  toasts = next
  listeners.forEach(listener => listener())
}

/** Shows a notification at the bottom left; the oldest gives way to a fourth. Answers its id. */
export const toast = (content: ToastContent): number => {
  lastId += 1
  // The same text twice is one message that is still true.
  const others = toasts.filter(t => t.title !== content.title || t.message !== content.message)
  change([...others, { ...content, id: lastId }].slice(-atMost))
  return lastId
}

/** Takes a notification away. */
export const dismissToast = (id: number): void => change(toasts.filter(t => t.id !== id))
/** Those on screen, oldest first. */
export const currentToasts = (): readonly Toast[] => toasts
/** Calls back on each change; answers the way to stop. */
export const subscribeToasts = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
