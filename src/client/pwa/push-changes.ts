const listeners = new Set<() => void>()

/** Calls back when the browser replaced its push subscription by itself. Answers the way to stop. */
export const onPushSubscriptionChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says that the worker replaced the subscription. */
export const pushSubscriptionChanged = (): void => listeners.forEach(listener => listener())
