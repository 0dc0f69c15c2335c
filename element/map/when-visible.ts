/** Returns true if some of `element` is within the window. */
export function isInView(element: Element): boolean {
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

/** Resolves when `element` has a size and is in or near the window; never if `signal` is aborted before. */
export function whenVisible(element: Element, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let near = false;
    const check = (): void => {
      const { width, height } = element.getBoundingClientRect();
      if (!near || width === 0 || height === 0) return;
      stop();
      resolve();
    };
    const intersections = new IntersectionObserver(
      (entries) => {
        near = entries.at(-1)?.isIntersecting ?? false;
        check();
      },
      { rootMargin: '50%' },
    );
    const sizes = new ResizeObserver(check);
    const stop = (): void => {
      intersections.disconnect();
      sizes.disconnect();
    };
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    intersections.observe(element);
    sizes.observe(element);
  });
}
