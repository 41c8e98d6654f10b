/** The phone: the page at `/approve/`, in a frame. In a window of its own, or on a real phone, it is the same page. */
export const PhonePane = () => (
  <section class="pane phone" aria-labelledby="phone-title">
    <header class="bar">
      <h2 id="phone-title">Phone</h2>
      <a href="approve/" target="_blank" rel="noreferrer">
        Open in a window
      </a>
    </header>
    <iframe src="approve/" title="The approver on the phone" />
  </section>
)
