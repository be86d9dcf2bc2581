// Mouse, pen, touch and trackpad on the timeline.

import type { Timeline } from "./timeline";

const DRAG = 4; // pixels before a press is no click

export function listen(timeline: Timeline): void {
    const { canvas, view, marks } = timeline;
    const pointers = new Map<number, { x: number; y: number }>();
    let pressed: { x: number; y: number; start: number; scroll: number; edge: number; range: boolean } | null = null;
    let moved = false;
    let pinch: { distance: number; span: number; time: number } | null = null;
    const place = (event: MouseEvent): { x: number; y: number } => {
        const box = canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const pair = (): { distance: number; middle: number } => {
        const [one = 0, other = 0] = [...pointers.values()].map((pointer) => pointer.x);
        return { distance: Math.max(20, Math.abs(one - other)), middle: (one + other) / 2 };
    };

    canvas.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        const at = place(event);
        pointers.set(event.pointerId, at);
        if (pointers.size === 2) {
            const { distance, middle } = pair();
            pinch = { distance, span: view.span, time: view.fold.fold(view.time(middle)) };
            pressed = null;
            return;
        }
        moved = false;
        pressed = { ...at, start: view.start, scroll: timeline.scroller.scrollTop, edge: timeline.edgeAt(at.x, at.y), range: event.shiftKey };
        if (event.shiftKey) event.preventDefault();
    });

    canvas.addEventListener("pointermove", (event) => {
        const at = place(event);
        if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at);
        if (pinch && pointers.size === 2) {
            const { distance, middle } = pair();
            const span = pinch.span * pinch.distance / distance;
            const start = pinch.time - middle / view.width * span;
            view.place(start, start + span);
            return;
        }
        if (!pressed) {
            timeline.point(at);
            return;
        }
        if (!moved && Math.hypot(at.x - pressed.x, at.y - pressed.y) < DRAG) return;
        moved = true;
        timeline.point(null);
        if (pressed.range) {
            marks.range = [pressed.edge, timeline.edgeAt(at.x, at.y)];
            timeline.redraw();
            return;
        }
        canvas.classList.add("dragging");
        const start = pressed.start - (at.x - pressed.x) * view.ticksPerPixel;
        view.place(start, start + view.span);
        timeline.scroller.scrollTop = pressed.scroll - (at.y - pressed.y);
    });

    const release = (event: PointerEvent): void => {
        pointers.delete(event.pointerId);
        canvas.classList.remove("dragging");
        if (pinch) {
            if (pointers.size === 0) pinch = null;
            pressed = null;
            return;
        }
        if (!pressed) return;
        const at = place(event);
        if (!moved && event.type === "pointerup") {
            if (!pressed.range) timeline.select(timeline.pickAt(at.x, at.y));
        } else if (pressed.range) {
            timeline.setRange(marks.range);
        }
        pressed = null;
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => timeline.point(null));
    canvas.addEventListener("dblclick", (event) => {
        const at = place(event);
        const found = timeline.pickAt(at.x, at.y);
        const run = at.y < timeline.renderer.head ? timeline.source.head.runs.find((one) => one.start <= view.time(at.x) && one.end >= view.time(at.x)) : undefined;
        if (found ?? run) timeline.zoomTo((found ?? run)!);
    });

    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
        const at = place(event);
        if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
            view.pan((event.shiftKey && dx === 0 ? dy : dx) / view.width);
        } else {
            view.zoom(Math.exp(Math.max(-120, Math.min(120, dy)) * (event.ctrlKey ? 0.01 : 0.0025)), view.time(at.x));
        }
        timeline.point(at);
    }, { passive: false });
}
