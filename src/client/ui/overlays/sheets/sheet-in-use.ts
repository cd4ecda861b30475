import { createContext } from 'react'

/** True on the sheet that the user has before them. What is drawn ahead asks the server for nothing that may not be needed. */
export const SheetInUse = createContext(true)
