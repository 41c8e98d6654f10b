import { storesData } from './shared/stored-data.ts'

/** Says that the browser does not store data for the page, and what follows from it. */
export const DataBanner = () =>
  storesData.value ? null : (
    <p class="banner" role="note">
      This browser does not store data for this page. You stay signed in only until the page is closed or loaded again, and this
      browser cannot become a device. Allow site data for {location.origin} to change this.
    </p>
  )
