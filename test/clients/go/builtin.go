package main

import (
	"fmt"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// configMaps creates, changes and deletes a few, and an informer sees all of it.
func configMaps(s *stage) {
	maps := s.clients.CoreV1().ConfigMaps(s.namespace)
	var added, updated, deleted atomic.Int32
	factory := informers.NewSharedInformerFactoryWithOptions(s.clients, time.Minute, informers.WithNamespace(s.namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "n" }))
	_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { added.Add(1) },
		UpdateFunc: func(before, after any) {
			if before.(*corev1.ConfigMap).ResourceVersion != after.(*corev1.ConfigMap).ResourceVersion {
				updated.Add(1)
			}
		},
		DeleteFunc: func(any) { deleted.Add(1) },
	})
	s.check("listen", err)
	factory.Start(s.ctx.Done())
	for kind, isSynced := range factory.WaitForCacheSync(s.ctx.Done()) {
		s.expect("an informer has synced", isSynced, kind)
	}
	for i := range 20 {
		made := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "c-", Labels: map[string]string{"n": fmt.Sprint(i % 2)}},
			Data:       map[string]string{"i": fmt.Sprint(i)},
			BinaryData: map[string][]byte{"b": {0, 255, byte(i)}},
		}
		if _, err := maps.Create(s.ctx, made, metav1.CreateOptions{}); err != nil {
			s.check("create", err)
		}
	}
	odd, err := maps.List(s.ctx, metav1.ListOptions{LabelSelector: "n=1"})
	s.check("list by label", err)
	s.expect("half of them are odd", len(odd.Items) == 10, len(odd.Items))
	for _, item := range odd.Items {
		if err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
			live, err := maps.Get(s.ctx, item.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			live.Data["i"] = "changed"
			_, err = maps.Update(s.ctx, live, metav1.UpdateOptions{})
			return err
		}); err != nil {
			s.check("update", err)
		}
	}
	_, err = maps.Update(s.ctx, &odd.Items[0], metav1.UpdateOptions{})
	s.expect("an update of an old state is a conflict", apierrors.IsConflict(err), err)
	_, err = maps.Get(s.ctx, "nobody", metav1.GetOptions{})
	s.expect("what is not there is not found", apierrors.IsNotFound(err), err)
	s.check("delete a collection", maps.DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "n=0"}))
	s.until("the informer has seen all of it", func() bool {
		return added.Load() == 20 && updated.Load() == 10 && deleted.Load() == 10
	})
}

// deployments walks through every way to write one.
func deployments(s *stage) {
	all := s.clients.AppsV1().Deployments(s.namespace)
	replicas, labels := int32(1), map[string]string{"app": "web"}
	web, err := all.Create(s.ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			},
		},
	}, metav1.CreateOptions{})
	s.check("create a Deployment", err)
	web.Status.Replicas, web.Status.ReadyReplicas = 1, 1
	_, err = all.UpdateStatus(s.ctx, web, metav1.UpdateOptions{})
	s.check("update its status", err)
	scale, err := all.GetScale(s.ctx, "web", metav1.GetOptions{})
	s.check("get its scale", err)
	scale.Spec.Replicas = 3
	_, err = all.UpdateScale(s.ctx, "web", scale, metav1.UpdateOptions{})
	s.check("scale it", err)
	sidecar := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`)
	_, err = all.Patch(s.ctx, "web", types.StrategicMergePatchType, sidecar, metav1.PatchOptions{})
	s.check("give it a second container", err)
	container := applycore.Container().WithName("web").WithImage("nginx:2")
	wanted := applyapps.Deployment("web", s.namespace).WithSpec(applyapps.DeploymentSpec().WithTemplate(
		applycore.PodTemplateSpec().WithSpec(applycore.PodSpec().WithContainers(container))))
	_, err = all.Apply(s.ctx, wanted, metav1.ApplyOptions{FieldManager: "clients"})
	s.expect("to apply what another owns is a conflict", apierrors.IsConflict(err), err)
	web, err = all.Apply(s.ctx, wanted, metav1.ApplyOptions{FieldManager: "clients", Force: true})
	s.check("apply by force", err)
	s.expect("the rest stays as it was", len(web.Spec.Template.Spec.Containers) == 2 && *web.Spec.Replicas == 3, web.Spec)
	owned, err := applyapps.ExtractDeployment(web, "clients")
	s.check("extract what is owned", err)
	s.expect("it is the image", *owned.Spec.Template.Spec.Containers[0].Image == "nginx:2", owned)
	owner := applymeta.OwnerReference().WithAPIVersion("apps/v1").WithKind("Deployment").WithName("web").WithUID(web.UID)
	maps := s.clients.CoreV1().ConfigMaps(s.namespace)
	_, err = maps.Apply(s.ctx, applycore.ConfigMap("owned", s.namespace).WithOwnerReferences(owner), metav1.ApplyOptions{FieldManager: "clients"})
	s.check("apply what is not there", err)
	foreground := metav1.DeletePropagationForeground
	s.check("delete in the foreground", all.Delete(s.ctx, "web", metav1.DeleteOptions{PropagationPolicy: &foreground}))
	s.until("it goes with what it owns", func() bool {
		_, first := all.Get(s.ctx, "web", metav1.GetOptions{})
		_, second := maps.Get(s.ctx, "owned", metav1.GetOptions{})
		return apierrors.IsNotFound(first) && apierrors.IsNotFound(second)
	})
}
