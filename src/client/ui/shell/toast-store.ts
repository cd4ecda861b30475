import { createAtom } from '@tanstack/react-store'

export type ToastTone = 'plain' | 'success' | 'danger' | 'warning'

export interface ToastContent {
  title: string
  message?: string
  tone?: ToastTone
  action?: { label: string; onSelect: () => void }
  /** 4 seconds by default; Infinity until it is closed. */
  durationMs?: number
}
export interface Toast extends ToastContent {
  id: number
}

const maxToasts = 3
let lastId = 0

export const toasts = createAtom<readonly Toast[]>([])

/** Shows a toast at the bottom left; a fourth replaces the oldest. Returns its id. */
export function toast(content: ToastContent): number {
  lastId += 1
  // The same text twice is one message that is still true.
  const others = toasts.get().filter(t => t.title !== content.title || t.message !== content.message)
  toasts.set([...others, { ...content, id: lastId }].slice(-maxToasts))
  return lastId
}

export const dismissToast = (id: number): void => toasts.set(shown => shown.filter(t => t.id !== id))
export const currentToasts = (): readonly Toast[] => toasts.get()
