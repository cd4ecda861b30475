import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener)
const isOnline = (): boolean => onlineManager.isOnline()

/** False while the device has no network or the server does not answer. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline)
