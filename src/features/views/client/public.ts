export { SavedViews, useDefaultView, viewQueries, type ViewSearch } from './saved-views.tsx'
