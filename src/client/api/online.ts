import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener)
const isOnline = (): boolean => onlineManager.isOnline()

/** False while the device says it has no network. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline)
