/** Takes the pieces of a body on a platform. Returns false if the client reads so slowly that pieces pile up. */
export interface StreamTarget {
  write(text: string): boolean
  /** Ends the body. The response is complete. */
  end(): void
}

/** A body that is sent piece by piece. A client that does not read is disconnected; it connects again, and reads everything. */
export class EventStream {
  #target: StreamTarget | undefined
  #early = ''
  #hasEnded = false
  #hasLeft = false
  #onLeave: (() => void) | undefined

  send(text: string): void {
    if (this.#hasEnded) return
    if (this.#target === undefined) this.#early += text
    else if (!this.#target.write(text)) {
      this.leave()
      this.end()
    }
  }

  end(): void {
    this.#hasEnded = true
    this.#target?.end()
  }

  /** Sets what runs when the client goes away. Runs it at once if the client has gone. */
  onLeave(run: () => void): void {
    this.#onLeave = run
    if (this.#hasLeft) run()
  }

  /** Connects the platform. */
  attach(target: StreamTarget): void {
    this.#target = target
    if (this.#early !== '') target.write(this.#early)
    this.#early = ''
    if (this.#hasEnded) target.end()
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#onLeave?.()
  }
}
