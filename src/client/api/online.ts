import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener)
const isOnline = (): boolean => onlineManager.isOnline()

/** False while the device has no network or the server does not answer. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline)

function subscribeDevice(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** False while the device itself says that it has no network. */
export const useDeviceOnline = (): boolean => useSyncExternalStore(subscribeDevice, () => navigator.onLine)
