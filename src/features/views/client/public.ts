export { SavedViews, useDefaultView, type ViewSearch } from './saved-views.tsx'
